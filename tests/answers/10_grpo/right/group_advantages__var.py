"""Right: by hand from squares."""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:

    centred = rewards - rewards.sum(1, keepdim=True) / rewards.shape[1]
    if normalize_std:
        centred = centred / (centred.pow(2).mean(1, keepdim=True).sqrt() + eps)
    return centred
