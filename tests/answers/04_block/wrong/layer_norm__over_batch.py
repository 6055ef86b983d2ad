"""Batch normalisation: over the samples.

mistake: over_the_batch
fails: a batch of sequences
"""


def layer_norm(x, weight, bias, eps=1e-5):
    mean = x.mean(dim=0, keepdim=True)
    variance = x.var(dim=0, correction=0, keepdim=True)
    normal = (x - mean) / torch.sqrt(variance + eps)
    return normal * weight + bias
