"""Divides by the variance.

mistake: variance_for_deviation
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    normal = (x - mean) / (variance + eps)
    return normal * weight + bias
