"""A mean over the chosen.

mistake: equal_weights
fails: two of five
"""


def route_top_k(logits, k):
    indices = logits.topk(k).indices
    return torch.ones(indices.shape, dtype=logits.dtype) / k, indices
