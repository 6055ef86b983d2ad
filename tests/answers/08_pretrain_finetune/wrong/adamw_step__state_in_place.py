"""Changes the state in place.

mistake: state_changed_in_place
fails: nothing that was handed in
"""


def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    state["t"] = state.get("t", 0) + 1
    state["m"] = betas[0] * state.get("m", 0.0) + (1 - betas[0]) * grad
    state["v"] = betas[1] * state.get("v", 0.0) + (1 - betas[1]) * grad**2
    m, v = state["m"] / (1 - betas[0] ** state["t"]), state["v"] / (1 - betas[1] ** state["t"])
    return param * (1 - lr * weight_decay) - lr * m / (v.sqrt() + eps), state
