"""Sorts upwards and takes the first k.

mistake: smallest
fails: two of five
"""


def route_top_k(logits, k):
    values, indices = logits.sort(dim=-1)
    return values[..., :k].softmax(-1), indices[..., :k]
