"""Divided also where normalize_std is False.

mistake: always_divided
fails: without the division
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:
    centred = rewards - rewards.mean(dim=-1, keepdim=True)
    return centred / (rewards.std(dim=-1, correction=0, keepdim=True) + eps)
