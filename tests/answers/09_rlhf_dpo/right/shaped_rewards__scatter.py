"""Right: adds the score by scatter_add."""


def shaped_rewards(score, log_p, log_ref, beta, mask):
    positions = torch.arange(mask.shape[1])
    last = torch.where(mask, positions, 0).amax(1, keepdim=True)
    bonus = torch.where(mask.any(1), score, torch.zeros_like(score)).unsqueeze(1)
    price = -beta * torch.where(mask, log_p - log_ref, torch.zeros_like(log_p))
    return price.scatter_add(1, last, bonus)
