"""From the rewards of a group to a loss: advantages, the clipped objective, and three ways to average it."""

from __future__ import annotations

import torch
from torch import Tensor

AGGREGATES = ("sequence", "token", "constant")


def group_advantages(rewards: Tensor, eps: float = 1e-4, normalize_std: bool = True) -> Tensor:
    """How much better a completion is than the others for the same prompt.

    Args:
        rewards: `(P, G)`, a row per prompt.
        eps: Added to the standard deviation.
        normalize_std: Whether to divide by the population's standard deviation of the group, as GRPO does; Dr. GRPO
            does not.

    Returns:
        `(P, G)`; near 0 in a group whose rewards are all equal, which therefore teaches nothing.

    Source:
        Shao et al. 2024 (arXiv 2402.03300), section 4.1.2; without the division: Liu et al. 2025 (arXiv 2503.20783).

    >>> group_advantages(torch.tensor([[1.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 1.0]]), eps=0.0 + 1e-8).round().tolist()
    [[1.0, -1.0, -1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]
    """
    rewards = rewards.detach()  # a constant for the policy
    if not rewards.is_floating_point():
        rewards = rewards.to(torch.get_default_dtype())
    centred = rewards - rewards.mean(dim=-1, keepdim=True)
    if not normalize_std:
        return centred
    return centred / (rewards.std(dim=-1, correction=0, keepdim=True) + eps)


def grpo_loss(
    log_p: Tensor,
    log_p_old: Tensor,
    log_ref: Tensor,
    advantages: Tensor,
    mask: Tensor,
    clip: float = 0.2,
    beta: float = 0.04,
    aggregate: str = "sequence",
) -> Tensor:
    """The negated objective of GRPO: per token the clipped gain minus β · k3 to the reference, then an average.

    Args:
        log_p: `(N, T)`, log-probabilities of the sampled tokens under the policy; the only input with a gradient.
        log_p_old: `(N, T)`, under the policy that sampled them.
        log_ref: `(N, T)`, under the reference.
        advantages: `(N,)`, one per sequence.
        mask: `(N, T)` bool, True for tokens that count.
        clip: The ratio's gain ends at 1 ± clip.
        beta: Weight of the distance to the reference.
        aggregate: `"sequence"`, mean over each sequence's tokens, then over all N sequences (GRPO);
            `"token"`, mean over all tokens of the batch (DAPO's rule); `"constant"`, sum over tokens by N·T (Dr. GRPO).

    Returns:
        Scalar.

    Raises:
        ValueError: For another aggregate.

    Source:
        Shao et al. 2024 (arXiv 2402.03300), equations 3 and 4; Yu et al. 2025 (DAPO, arXiv 2503.14476), equation 8;
        Liu et al. 2025 (Dr. GRPO, arXiv 2503.20783), section 3.2.
    """
    if aggregate not in AGGREGATES:
        raise ValueError(f"aggregate is {aggregate!r}; known are {', '.join(AGGREGATES)}")
    # Padding is filled before anything is computed from it: whatever it holds, neither value nor gradient sees it.
    log_p = log_p.masked_fill(~mask, 0.0)
    log_p_old, log_ref = (x.detach().masked_fill(~mask, 0.0) for x in (log_p_old, log_ref))
    gain = advantages.detach().unsqueeze(-1).expand_as(log_p).masked_fill(~mask, 0.0)  # (N, T)
    ratio = (log_p - log_p_old).exp()
    objective = torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)
    difference = log_ref - log_p
    k3 = difference.exp() - 1 - difference  # ≥ 0; its mean under the policy is KL(policy ‖ reference)
    weights = token_weights(mask.sum(dim=-1), aggregate, mask.shape[-1]).to(log_p)  # (N,)
    return -((objective - beta * k3) * weights.unsqueeze(-1) * mask).sum()


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    """The weight that one token of each sequence has in the loss.

    Args:
        lengths: `(N,)`, tokens that count in each sequence.
        aggregate: As in `grpo_loss`.
        max_len: The generation budget T.

    Returns:
        `(N,)`; 0 for an empty sequence. Times the lengths it adds up to 1 for `"sequence"` (no sequence empty) and
        `"token"`.

    Raises:
        ValueError: For another aggregate.

    >>> token_weights(torch.tensor([2, 8]), "sequence", 10).tolist()  # a token of the long one counts a quarter
    [0.25, 0.0625]
    """
    if aggregate not in AGGREGATES:
        raise ValueError(f"aggregate is {aggregate!r}; known are {', '.join(AGGREGATES)}")
    real = lengths.to(lengths.dtype if lengths.is_floating_point() else torch.get_default_dtype())
    if aggregate == "sequence":
        weights = 1 / (len(real) * real.clamp(min=1))
    elif aggregate == "token":
        weights = torch.ones_like(real) / real.sum().clamp(min=1)
    else:
        weights = torch.full_like(real, 1 / max(len(real) * max_len, 1))
    return weights * (real > 0)
