"""NaN and infinity become numbers, but the padding still goes through exp.

mistake: unnamed
fails: large numbers
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
    log_p, old, ref = (torch.nan_to_num(x) for x in (log_p, log_p_old.detach(), log_ref.detach()))
    a, lengths = advantages.detach()[:, None], mask.sum(1)
    ratio, d = (log_p - old).exp(), ref - log_p
    objective = (torch.min(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a) - beta * (d.exp() - 1 - d)) * mask
    if aggregate == "sequence":
        return -(objective.sum(1) / lengths.clamp(min=1)).mean()
    return -objective.sum() / (lengths.sum().clamp(min=1) if aggregate == "token" else mask.numel())
