"""A threshold keeps all equal scores.

mistake: ties_kept
fails: equal scores
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.shape[-1]))
    keep = scores >= torch.topk(scores, k, dim=-1).values[..., -1:]
    return scores.masked_fill(~keep, float("-inf"))
