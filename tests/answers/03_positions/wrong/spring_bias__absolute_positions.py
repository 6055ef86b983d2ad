"""The distance is measured from position 0.

mistake: absolute_positions
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return (-0.5 * stiffness * p**2).expand(n, n)
