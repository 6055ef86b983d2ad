"""Distances by torch.cdist.
"""

def spring_bias(n, stiffness):
    p = torch.arange(n).float().view(-1, 1)
    return torch.cdist(p, p, compute_mode="donot_use_mm_for_euclid_dist").pow(2).mul(-0.5 * stiffness)
