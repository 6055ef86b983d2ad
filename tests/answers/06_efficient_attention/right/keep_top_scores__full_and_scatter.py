"""Right: values scattered into −inf."""


def keep_top_scores(scores, keep_ratio):
    best = scores.topk(max(1, int(keep_ratio * scores.shape[-1])), dim=-1)
    return torch.full_like(scores, -math.inf).scatter(-1, best.indices, best.values)
