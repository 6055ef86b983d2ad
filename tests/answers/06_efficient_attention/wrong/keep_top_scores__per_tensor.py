"""The largest of the whole tensor.

mistake: per_tensor
fails: a third of nine keys
"""


def keep_top_scores(scores, keep_ratio):
    k = max(1, int(keep_ratio * scores.numel()))
    index = scores.flatten().topk(k).indices
    keep = torch.zeros(scores.numel(), dtype=torch.bool).scatter_(0, index, True).view(scores.shape)
    return scores.masked_fill(~keep, float("-inf"))
