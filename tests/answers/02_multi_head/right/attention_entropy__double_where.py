"""where around and inside the log."""

def attention_entropy(weights, mask=None):
    positive = weights > 0
    safe = torch.where(positive, weights, torch.ones_like(weights))
    terms = torch.where(positive, -safe * torch.log(safe), torch.zeros_like(weights))
    allowed = torch.ones_like(weights) if mask is None else mask.to(weights.dtype).expand_as(weights)
    n = allowed.sum(-1)
    most = torch.log(torch.where(n > 1, n, torch.full_like(n, 3.0)))
    return torch.where(n > 1, terms.sum(-1) / most, torch.zeros_like(n))
