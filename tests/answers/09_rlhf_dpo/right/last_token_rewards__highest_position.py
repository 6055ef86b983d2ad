"""Right: the largest marked position."""


def last_token_rewards(scores, mask):
    positions = torch.arange(scores.shape[1])
    last = torch.where(mask, positions, -1).amax(dim=1)
    found = scores[torch.arange(len(scores)), last.clamp(min=0)]
    return torch.where(last >= 0, found, torch.zeros_like(found))
