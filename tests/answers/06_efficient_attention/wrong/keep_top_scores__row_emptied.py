"""Small ratios keep nothing.

mistake: row_emptied
fails: never fewer than one
"""


def keep_top_scores(scores, keep_ratio):
    k = int(keep_ratio * scores.shape[-1])
    index = torch.topk(scores, k, dim=-1).indices
    keep = torch.zeros(scores.shape, dtype=torch.bool).scatter_(-1, index, True)
    return scores.masked_fill(~keep, float("-inf"))
