"""Right: running means by lerp; the correction in the step size, as torch does."""


def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    beta1, beta2 = betas
    step = state["step"] + 1 if state else 1
    exp_avg = state["exp_avg"] if state else torch.zeros_like(param)
    exp_avg_sq = state["exp_avg_sq"] if state else torch.zeros_like(param)
    exp_avg = exp_avg.lerp(grad, 1 - beta1)
    exp_avg_sq = exp_avg_sq * beta2 + (1 - beta2) * grad * grad
    denominator = exp_avg_sq.sqrt() / math.sqrt(1 - beta2**step) + eps
    decayed = param * (1 - lr * weight_decay)
    new = decayed.addcdiv(exp_avg, denominator, value=-lr / (1 - beta1**step))
    return new, dict(step=step, exp_avg=exp_avg, exp_avg_sq=exp_avg_sq)
