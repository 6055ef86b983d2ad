"""mean and var without keepdim.

mistake: axis_lost
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-1)
    variance = x.var(dim=-1, unbiased=False)
    return weight * (x - mean) * (variance + eps).rsqrt() + bias
