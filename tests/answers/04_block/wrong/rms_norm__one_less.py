"""Divided by C − 1.

mistake: divided_by_one_less
fails: a batch of sequences
"""

import torch
def rms_norm(x, weight, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).sum(-1, keepdim=True) / (x.shape[-1] - 1) + eps) * weight
