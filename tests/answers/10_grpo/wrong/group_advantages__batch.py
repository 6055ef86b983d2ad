"""Mean and deviation of the whole batch.

mistake: over_the_batch
fails: any rewards, other sizes
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:
    centred = rewards - rewards.mean()
    if not normalize_std:
        return centred
    return centred / (rewards.std(correction=0) + eps)
