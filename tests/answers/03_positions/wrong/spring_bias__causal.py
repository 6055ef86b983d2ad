"""The future is hidden as well.

mistake: causal
fails: four positions
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return (-0.5 * stiffness * delta**2).masked_fill(delta < 0, float('-inf'))
