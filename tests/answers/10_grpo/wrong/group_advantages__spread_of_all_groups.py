"""Divided by the spread of the whole batch.

mistake: spread_of_all_groups
fails: three groups
"""

def group_advantages(rewards, eps=1e-4, normalize_std=True):
    centred = rewards - rewards.mean(-1, keepdim=True)
    if not normalize_std:
        return centred
    variance = centred.square().mean()
    zero = variance == 0
    std = torch.where(zero, torch.ones_like(variance), variance).sqrt() * (~zero)
    return centred / (std + eps)
