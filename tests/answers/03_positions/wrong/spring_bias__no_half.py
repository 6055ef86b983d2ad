"""The factor ½ is missing.

mistake: no_half
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return -stiffness * delta**2
