"""The stiffness is squared too.

mistake: stiffness_inside
fails: fresh sizes
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float()
    delta = p[:, None] - p[None, :]
    return -0.5 * (stiffness * delta) ** 2
