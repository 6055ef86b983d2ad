"""Counts the share among the visible keys of a row.

mistake: unnamed
fails: cut
"""


def keep_top_scores(scores, keep_ratio):
    visible = (scores > -math.inf).sum(-1, keepdim=True)
    count = (keep_ratio * visible).long().clamp(min=1)
    rank = scores.argsort(dim=-1, descending=True).argsort(dim=-1)
    return scores.masked_fill(rank >= count, -math.inf)
