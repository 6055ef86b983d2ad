"""Never divided.

mistake: never_divided
fails: any rewards, other sizes
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:

    return rewards - rewards.mean(dim=-1, keepdim=True)
