"""Returns what topk gives.

mistake: no_softmax
fails: two of five
"""


def route_top_k(logits, k):
    values, indices = logits.topk(k)
    return values, indices
