"""Without a generator the same coins fall in every call.

mistake: the_same_coins
fails: without a generator
"""

import torch
def drop_path(x, p, training, generator=None):
    if not training or p == 0: return x
    if p == 1: return x * 0
    if generator is None:
        generator = torch.Generator().manual_seed(0)
    keep = torch.rand((x.shape[0],) + (1,) * (x.dim() - 1), generator=generator) >= p
    return x * keep.to(x.dtype) / (1 - p)
