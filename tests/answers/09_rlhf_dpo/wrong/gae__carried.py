"""Carries the recursion through the padding.

mistake: through_padding
fails: other answers
"""


def gae(rewards, values, mask, gamma, lam):
    T, a = rewards.shape[1], torch.zeros_like(rewards[:, 0])
    found = [a] * T
    for t in reversed(range(T)):
        after = values[:, t + 1] * mask[:, t + 1] if t + 1 < T else torch.zeros_like(a)
        a = rewards[:, t] + gamma * after - values[:, t] + gamma * lam * a
        found[t] = a
    advantages = torch.stack(found, dim=1) * mask
    return advantages, (advantages + values) * mask
