"""Right: only real tokens are ever computed."""


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

    rows = torch.arange(len(mask)).unsqueeze(1).expand_as(mask)[mask]  # the sequence of each real token
    p, old, ref = log_p[mask], log_p_old[mask].detach(), log_ref[mask].detach()
    a = advantages.detach()[rows]
    ratio = (p - old).exp()
    gain = torch.min(ratio * a, torch.clamp(ratio, min=1 - clip, max=1 + clip) * a)
    loss = beta * (torch.expm1(ref - p) - (ref - p)) - gain
    if aggregate == "sequence":
        return (loss / (mask.sum(1)[rows] * len(mask))).sum()
    if aggregate == "token":
        return loss.sum() / max(len(rows), 1)
    return loss.sum() / mask.numel()
