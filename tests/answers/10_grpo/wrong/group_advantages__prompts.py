"""Mean and deviation over the prompts.

mistake: over_the_prompts
fails: any rewards, other sizes
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:
    centred = rewards - rewards.mean(dim=0, keepdim=True)
    if not normalize_std:
        return centred
    return centred / (rewards.std(dim=0, correction=0, keepdim=True) + eps)
