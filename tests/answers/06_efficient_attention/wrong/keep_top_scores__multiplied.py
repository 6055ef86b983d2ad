"""A mask is multiplied.

mistake: multiplied
fails: rows that a causal mask has cut
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.shape[-1]))
    index = torch.topk(scores, k, dim=-1).indices
    keep = torch.zeros(scores.shape, dtype=torch.bool).scatter_(-1, index, True)
    return scores * keep
