"""Right: keeps all gradients and sums them anew; without a graph."""


@torch.no_grad()
def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    seen = [*state.get("seen", []), grad.clone()]
    t = len(seen)
    m = sum((1 - betas[0]) * betas[0] ** (t - i) * g for i, g in enumerate(seen, 1))
    v = sum((1 - betas[1]) * betas[1] ** (t - i) * g**2 for i, g in enumerate(seen, 1))
    step = (m / (1 - betas[0] ** t)) / (torch.sqrt(v / (1 - betas[1] ** t)) + eps)
    return param - lr * (step + weight_decay * param), {"seen": seen}
