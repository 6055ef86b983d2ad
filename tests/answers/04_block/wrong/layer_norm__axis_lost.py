"""mean and var without keepdim, with torch's default correction.

mistake: axis_lost_and_unbiased
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean, variance = x.mean(-1), x.var(-1)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
