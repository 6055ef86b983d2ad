"""Right: ranks by sorting twice."""


def keep_top_scores(scores, keep_ratio):
    count = max(int(scores.shape[-1] * keep_ratio), 1)
    rank = scores.argsort(dim=-1, descending=True).argsort(dim=-1)
    return torch.where(rank < count, scores, torch.full_like(scores, -math.inf))
