"""Right: −inf for the others, a softmax over all, then the chosen ones, in the order of their numbers."""


def route_top_k(logits, k):
    indices = logits.topk(k, dim=-1).indices.sort(dim=-1).values
    blocked = torch.full_like(logits, -torch.inf).scatter(-1, indices, 0.0)
    return torch.softmax(logits + blocked, dim=-1).gather(-1, indices), indices
