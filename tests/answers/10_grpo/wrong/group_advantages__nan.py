"""Without eps a constant group gives NaN.

mistake: nan_in_a_constant_group
fails: constant groups beside others
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:
    centred = rewards - rewards.mean(dim=-1, keepdim=True)
    if not normalize_std:
        return centred
    return centred / rewards.std(dim=-1, correction=0, keepdim=True)
