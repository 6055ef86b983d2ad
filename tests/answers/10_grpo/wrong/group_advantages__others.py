"""The mean of the others as baseline.

mistake: leave_one_out
fails: without the division
"""


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:

    group = rewards.shape[-1]
    others = (rewards.sum(-1, keepdim=True) - rewards) / (group - 1)
    centred = rewards - others
    return centred / (rewards.std(dim=-1, correction=0, keepdim=True) + eps) if normalize_std else centred
