"""Forgets gain and bias.

mistake: unnamed
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    normal = (x - mean) / torch.sqrt(variance + eps)
    return normal
