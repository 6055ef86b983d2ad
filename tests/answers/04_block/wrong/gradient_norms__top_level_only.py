"""Only parameters that hang on the block itself.

mistake: unnamed
fails: real model
"""


def gradient_norms(blocks, loss):
    out = []
    for b in blocks:
        ps = [p for p in b.parameters(recurse=False) if p.requires_grad]
        gs = torch.autograd.grad(loss, ps, retain_graph=True, allow_unused=True) if ps else []
        out.append(math.sqrt(sum(float((g ** 2).sum()) for g in gs if g is not None)))
    return out
