"""Its own value at the end.

mistake: own_value_at_end
fails: other answers
"""


def gae(rewards, values, mask, gamma, lam):
    T, a = rewards.shape[1], torch.zeros_like(rewards[:, 0])
    found = [a] * T
    for t in reversed(range(T)):
        after = torch.where(mask[:, t + 1], values[:, t + 1], values[:, t]) if t + 1 < T else values[:, t]
        a = (rewards[:, t] + gamma * after - values[:, t] + gamma * lam * a) * mask[:, t]
        found[t] = a
    advantages = torch.stack(found, dim=1) * mask
    return advantages, (advantages + values) * mask
