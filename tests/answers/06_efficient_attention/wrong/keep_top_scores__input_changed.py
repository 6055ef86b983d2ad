"""Works in the input itself.

mistake: unnamed
fails: a third of nine keys
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.shape[-1]))
    index = torch.topk(scores, k, dim=-1).indices
    keep = torch.zeros(scores.shape, dtype=torch.bool).scatter_(-1, index, True)
    return scores.masked_fill_(~keep, float("-inf"))
