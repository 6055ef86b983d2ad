"""Plain sums of rewards.

mistake: rewards_to_come
fails: other answers
"""


def gae(rewards, values, mask, gamma, lam):
    T, a, r = rewards.shape[1], torch.zeros_like(rewards[:, 0]), torch.zeros_like(rewards[:, 0])
    found, returns = [], []
    for t in reversed(range(T)):
        after = values[:, t + 1] * mask[:, t + 1] if t + 1 < T else torch.zeros_like(a)
        a = (rewards[:, t] + gamma * after - values[:, t] + gamma * lam * a) * mask[:, t]
        r = (rewards[:, t] + gamma * r) * mask[:, t]
        found.append(a)
        returns.append(r)
    return torch.stack(found[::-1], dim=1), torch.stack(returns[::-1], dim=1)
