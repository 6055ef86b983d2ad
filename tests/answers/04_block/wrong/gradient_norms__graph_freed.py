"""One call for all, without retain_graph.

mistake: graph_gone
fails: every .grad is as before
"""


def gradient_norms(blocks, loss):
    blocks = list(blocks)
    wanted = [[p for p in b.parameters() if p.requires_grad] for b in blocks]
    flat = [p for group in wanted for p in group]
    found = dict(zip(map(id, flat), torch.autograd.grad(loss, flat, allow_unused=True)))
    return [
        math.sqrt(sum(found[id(p)].square().sum().item() for p in group if found[id(p)] is not None)) for group in wanted
    ]
