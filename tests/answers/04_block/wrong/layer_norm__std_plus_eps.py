"""Adds eps to the standard deviation.

mistake: eps_outside_the_root
fails: eps under the root
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, correction=0, keepdim=True)
    normal = (x - mean) / (torch.sqrt(variance) + eps)
    return normal * weight + bias
