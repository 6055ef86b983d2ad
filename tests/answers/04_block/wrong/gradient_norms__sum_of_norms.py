"""Adds the norms of the parameters.

mistake: sum_of_norms
fails: the norm of each block
"""


def gradient_norms(blocks, loss):
    norms = []
    for block in blocks:
        wanted = [p for p in block.parameters() if p.requires_grad]
        found = torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True)
        found = [g.flatten() for g in found if g is not None]
        norms.append(float(sum(g.norm() for g in found)) if found else 0.0)
    return norms
