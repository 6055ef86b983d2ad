"""The penalty grows with the distance itself.

mistake: linear
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return -0.5 * stiffness * delta.abs()
