"""Only the kept values are returned.

mistake: only_the_kept
fails: a third of nine keys
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.shape[-1]))
    return torch.topk(scores, k, dim=-1).values
