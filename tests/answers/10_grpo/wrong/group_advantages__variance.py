"""Divided by the variance.

mistake: variance
fails: any rewards, other sizes
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:
    centred = rewards - rewards.mean(dim=-1, keepdim=True)
    if not normalize_std:
        return centred
    return centred / (rewards.var(dim=-1, correction=0, keepdim=True) + eps)
