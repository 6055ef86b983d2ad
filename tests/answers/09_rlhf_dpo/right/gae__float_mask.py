"""Right: the mask as numbers, as TRL does it."""


def gae(rewards, values, mask, gamma, lam):
    real = mask.to(rewards.dtype)
    values, rewards = values * real, rewards * real
    last, found = 0, []
    for t in range(rewards.shape[1] - 1, -1, -1):
        next_values = values[:, t + 1] if t < rewards.shape[1] - 1 else 0.0
        delta = rewards[:, t] + gamma * next_values - values[:, t]
        last = (delta + gamma * lam * last) * real[:, t]
        found.append(last)
    advantages = torch.stack(found[::-1], dim=1)
    return advantages, (advantages + values) * real
