"""Right: numbers, row by row."""


def gae(rewards, values, mask, gamma, lam):
    advantages, returns = torch.zeros_like(rewards), torch.zeros_like(rewards)
    for b in range(len(rewards)):
        a = v = 0.0
        for t in reversed(mask[b].nonzero().flatten().tolist()):
            a = rewards[b, t] + gamma * v - values[b, t] + gamma * lam * a
            v = values[b, t]
            advantages[b, t], returns[b, t] = a, a + v
    return advantages, returns
