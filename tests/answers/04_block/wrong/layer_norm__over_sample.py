"""One mean for a whole sequence.

mistake: over_two_axes
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=tuple(range(1, x.ndim)) or -1, keepdim=True)
    variance = x.var(dim=tuple(range(1, x.ndim)) or -1, correction=0, keepdim=True)
    normal = (x - mean) / torch.sqrt(variance + eps)
    return normal * weight + bias
