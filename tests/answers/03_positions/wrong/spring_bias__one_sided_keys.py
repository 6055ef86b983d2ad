"""Keys before the query are free.

mistake: one_sided_keys
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return -0.5 * stiffness * delta.clamp(max=0) ** 2
