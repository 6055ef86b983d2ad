"""Right: adds −inf where a score is dropped."""


def keep_top_scores(scores, keep_ratio):
    count = max(1, int(keep_ratio * scores.shape[-1]))
    order = scores.argsort(dim=-1, descending=True)
    return scores + torch.zeros_like(scores).scatter(-1, order[..., count:], -math.inf)
