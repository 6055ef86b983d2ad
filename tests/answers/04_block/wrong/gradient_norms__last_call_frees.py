"""The graph is kept for all blocks but the last.

mistake: graph_gone
fails: real model
"""


def gradient_norms(blocks, loss):
    out, blocks = [], list(blocks)
    for b in blocks:
        ps = [p for p in b.parameters() if p.requires_grad]
        gs = torch.autograd.grad(loss, ps, retain_graph=b is not blocks[-1], allow_unused=True) if ps else []
        out.append(math.sqrt(sum(float((g ** 2).sum()) for g in gs if g is not None)))
    return out
