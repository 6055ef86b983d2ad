"""log_p minus itself: the ratio is 1, without a gradient.

mistake: always_1
fails: ratios far outside
"""


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
    log_p = log_p.masked_fill(~mask, 0.0)
    log_p_old = log_p_old.detach().masked_fill(~mask, 0.0)
    log_ref = log_ref.detach().masked_fill(~mask, 0.0)
    a = advantages.detach().unsqueeze(-1)
    ratio = (log_p - log_p).exp()
    gain = torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
    difference = log_ref - log_p
    objective = (gain - beta * (difference.exp() - 1 - difference)) * mask  # (N, T)
    lengths = mask.sum(dim=-1)
    if aggregate == "sequence":
        return -(objective.sum(dim=-1) / lengths.clamp(min=1)).mean()
    if aggregate == "token":
        return -objective.sum() / lengths.sum().clamp(min=1)
    return -objective.sum() / mask.numel()
