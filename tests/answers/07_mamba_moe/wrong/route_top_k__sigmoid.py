"""Sigmoids, as DeepSeek-V3 has them before it normalises.

mistake: sigmoid
fails: two of five
"""


def route_top_k(logits, k):
    values, indices = torch.sigmoid(logits).topk(k)
    return values, indices
