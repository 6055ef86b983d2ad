"""Right: one weight per token, from the lengths."""


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

    n, t = mask.shape
    lengths = mask.sum(1).to(log_p)
    if aggregate == "sequence":
        weights = (1 / (n * lengths.clamp(min=1))).unsqueeze(1).expand(n, t)
    elif aggregate == "token":
        weights = torch.full((n, t), 1.0, dtype=log_p.dtype) / lengths.sum().clamp(min=1)
    else:
        weights = torch.full((n, t), 1 / (n * t), dtype=log_p.dtype)
    zero = torch.zeros((), dtype=log_p.dtype)
    p, old, ref = (torch.where(mask, x, zero) for x in (log_p, log_p_old.detach(), log_ref.detach()))
    a = advantages.detach()[:, None].expand(n, t)
    ratio = torch.exp(p - old)
    limit = torch.where(a > 0, (1 + clip) * a, (1 - clip) * a)
    k3 = torch.exp(ref - p) - (ref - p) - 1
    return ((beta * k3 - torch.minimum(ratio * a, limit)) * weights)[mask].sum()
