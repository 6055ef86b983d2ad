"""Softmax first, choice then, without renormalising.

mistake: softmax_over_all
fails: two of five
"""


def route_top_k(logits, k):
    weights, indices = torch.softmax(logits, dim=-1).topk(k)
    return weights, indices
