"""exp is taken already.

mistake: window_returned
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return torch.exp(-0.5 * stiffness * delta**2)
