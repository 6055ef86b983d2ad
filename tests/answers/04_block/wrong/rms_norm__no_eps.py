"""Forgets eps.

mistake: no_eps
fails: eps under the root
"""


def rms_norm(x, weight, eps=1e-6):
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square) * weight
