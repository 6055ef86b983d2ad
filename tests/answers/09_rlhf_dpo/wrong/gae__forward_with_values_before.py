"""range in place of reversed(range).

mistake: forward_with_values_before
fails: answers between
"""

def gae(rewards, values, mask, gamma, lam):
    rewards = rewards.masked_fill(~mask, 0.0)
    values = values.masked_fill(~mask, 0.0)
    B, T = rewards.shape
    running = rewards.new_zeros(B)
    following = rewards.new_zeros(B)
    out = [None] * T
    for t in range(T):
        delta = rewards[:, t] + gamma * following - values[:, t]
        running = torch.where(mask[:, t], delta + gamma * lam * running, torch.zeros_like(running))
        following = values[:, t]
        out[t] = running
    advantages = torch.stack(out, 1)
    return advantages, (advantages + values).masked_fill(~mask, 0.0)
