"""exp without subtracting the maximum.

mistake: unnamed
fails: logits of ±1000
"""


def route_top_k(logits, k):
    values, indices = torch.topk(logits, k)
    powers = torch.exp(values)
    return powers / powers.sum(-1, keepdim=True), indices
