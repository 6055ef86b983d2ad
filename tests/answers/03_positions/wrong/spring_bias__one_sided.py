"""Keys after the query are free.

mistake: one_sided
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return -0.5 * stiffness * delta.clamp(min=0) ** 2
