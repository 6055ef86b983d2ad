"""−1e9 in place of −inf.

mistake: large_negative
fails: a third of nine keys
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.shape[-1]))
    index = torch.topk(scores, k, dim=-1).indices
    keep = torch.zeros(scores.shape, dtype=torch.bool).scatter_(-1, index, True)
    return scores.masked_fill(~keep, -1e9)
