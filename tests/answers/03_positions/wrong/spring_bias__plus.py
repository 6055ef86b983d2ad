"""The published sign: energy is added.

mistake: plus
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return 0.5 * stiffness * delta**2
