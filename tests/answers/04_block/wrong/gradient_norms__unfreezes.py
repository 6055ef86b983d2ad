"""Frozen parameters are not frozen any more afterwards.

mistake: unfreezes
fails: every .grad is as before
"""


def gradient_norms(blocks, loss):
    out = []
    for b in blocks:
        ps = list(b.parameters())
        for p in ps:
            p.requires_grad_(True)
        gs = torch.autograd.grad(loss, ps, retain_graph=True, allow_unused=True) if ps else []
        out.append(math.sqrt(sum(float((g ** 2).sum()) for g in gs if g is not None)))
    return out
