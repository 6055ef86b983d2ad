"""Right: the real tokens alone, each with its weight; the weights are float32, since lengths are integers."""


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
    rows = mask.nonzero()[:, 0]
    p, old, ref, a = log_p[mask], log_p_old[mask].detach(), log_ref[mask].detach(), advantages.detach()[rows]
    ratio = (p - old).exp()
    losses = torch.maximum(-ratio * a, -ratio.clamp(1 - clip, 1 + clip) * a)
    losses = losses + beta * (torch.expm1(ref - p) - (ref - p))
    if aggregate == "sequence":
        weights = 1.0 / (len(mask) * mask.sum(1)[rows])
    else:
        weights = 1.0 / (max(len(rows), 1) if aggregate == "token" else mask.numel())
    return (losses * weights).sum()
