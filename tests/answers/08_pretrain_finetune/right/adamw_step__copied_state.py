"""Right: copies param and state first, then works in place on the copies."""


def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    param = param.clone()
    state = {k: v.clone() for k, v in state.items()} or {
        "step": torch.zeros(()),
        "m": torch.zeros_like(param),
        "v": torch.zeros_like(param),
    }
    state["step"] += 1
    param.mul_(1 - lr * weight_decay)
    state["m"].mul_(betas[0]).add_(grad, alpha=1 - betas[0])
    state["v"].mul_(betas[1]).addcmul_(grad, grad, value=1 - betas[1])
    t = int(state["step"])
    denominator = (state["v"] / (1 - betas[1] ** t)).sqrt_().add_(eps)
    param.addcdiv_(state["m"], denominator, value=-lr / (1 - betas[0] ** t))
    return param, state
