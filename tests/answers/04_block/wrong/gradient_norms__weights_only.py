"""Leaves the biases out.

mistake: unnamed
fails: the norm of each block
"""


def gradient_norms(blocks, loss):
    norms = []
    for block in blocks:
        wanted = [p for p in block.parameters() if p.requires_grad and p.ndim > 1]
        found = torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True) if wanted else []
        found = [g.flatten() for g in found if g is not None]
        norms.append(float(torch.cat(found).norm()) if found else 0.0)
    return norms
