"""Takes mean and variance over the positions.

mistake: over_the_sequence
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=-2, keepdim=True)
    variance = x.var(dim=-2, correction=0, keepdim=True)
    normal = (x - mean) / torch.sqrt(variance + eps)
    return normal * weight + bias
