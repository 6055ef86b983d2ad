"""Right: a loop over sequences."""


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

    parts, count = [], 0
    for i in range(len(mask)):
        keep = mask[i]
        p, old, ref = log_p[i][keep], log_p_old[i][keep].detach(), log_ref[i][keep].detach()
        a, ratio = advantages[i].detach(), torch.exp(p - old)
        gain = torch.minimum(ratio * a, ratio.clamp(1 - clip, 1 + clip) * a)
        each = gain - beta * (torch.exp(ref - p) - 1 - (ref - p))
        parts.append(each.mean() if aggregate == "sequence" and len(p) else each.sum())
        count += len(p)
    total = torch.stack(parts).sum()
    return -total / {"sequence": len(mask), "token": max(count, 1), "constant": mask.numel()}[aggregate]
