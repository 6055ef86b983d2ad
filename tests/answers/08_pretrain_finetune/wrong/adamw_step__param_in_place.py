"""Changes the parameter in place.

mistake: unnamed
fails: nothing that was handed in
"""


def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    t = state.get("t", 0) + 1
    m = betas[0] * state.get("m", 0.0) + (1 - betas[0]) * grad
    v = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * grad**2
    param.mul_(1 - lr * weight_decay)
    param -= lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
    return param, {"t": t, "m": m, "v": v}
