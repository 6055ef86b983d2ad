"""Another default eps.

mistake: other_default
fails: the default eps
"""


def layer_norm(x, weight, bias, eps=1e-6):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    normal = (x - mean) / torch.sqrt(variance + eps)
    return normal * weight + bias
