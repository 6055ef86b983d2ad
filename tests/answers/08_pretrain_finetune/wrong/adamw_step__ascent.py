"""Climbs.

mistake: uphill
fails: forty steps of changing length
"""


def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    b1, b2 = betas
    t = state.get("t", 0) + 1
    g = grad
    m = b1 * state.get("m", torch.zeros_like(param)) + (1 - b1) * g
    v = b2 * state.get("v", torch.zeros_like(param)) + (1 - b2) * g * g
    c1, c2 = 1 - b1**t, 1 - b2**t
    den = (v / c2).sqrt() + eps
    new = param - lr * weight_decay * param + lr * (m / c1) / den
    return new, {"t": t, "m": m, "v": v}
