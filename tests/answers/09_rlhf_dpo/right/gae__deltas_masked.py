"""Right: the deltas of padding are 0, so nothing comes from there; what reaches the prompt is cut off at last."""


def gae(rewards, values, mask, gamma, lam):
    advantages, last = torch.zeros_like(values), 0
    T = values.shape[1]
    for t in reversed(range(T)):
        after = values[:, t + 1] * mask[:, t + 1] if t + 1 < T else 0.0
        last = (rewards[:, t] + gamma * after - values[:, t]) * mask[:, t] + gamma * lam * last
        advantages[:, t] = last
    return advantages * mask, (advantages + values) * mask
