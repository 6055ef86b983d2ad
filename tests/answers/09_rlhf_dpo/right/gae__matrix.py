"""Right: a matrix of weights (γλ)^(s − t)."""


def gae(rewards, values, mask, gamma, lam):
    T = rewards.shape[1]
    values = torch.where(mask, values, torch.zeros_like(values))
    after = torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], dim=1)
    delta = torch.where(mask, rewards + gamma * after - values, torch.zeros_like(values))
    steps = torch.arange(T)[None, :] - torch.arange(T)[:, None]
    weights = torch.where(steps >= 0, (gamma * lam) ** steps.clamp(min=0).to(values.dtype), 0.0).to(values.dtype)
    advantages = torch.where(mask, delta @ weights.T, torch.zeros_like(values))
    return advantages, advantages + values
