"""The weights are made without gradient.

mistake: weights_detached
fails: two of five
"""


def route_top_k(logits, k):
    values, indices = logits.topk(k)
    with torch.no_grad():
        weights = torch.softmax(values, dim=-1)
    return weights, indices
