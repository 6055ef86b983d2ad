"""Strictly above the k-th largest.

mistake: border_dropped
fails: a third of nine keys
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.shape[-1]))
    keep = scores > torch.topk(scores, k, dim=-1).values[..., -1:]
    return scores.masked_fill(~keep, float("-inf"))
