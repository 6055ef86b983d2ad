"""Divides only.

mistake: mean_not_removed
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    normal = x / torch.sqrt(variance + eps)
    return normal * weight + bias
