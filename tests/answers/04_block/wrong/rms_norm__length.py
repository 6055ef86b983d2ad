"""Divides by the length of the vector.

mistake: sum_for_mean
fails: a batch of sequences
"""


def rms_norm(x, weight, eps=1e-6):
    mean_square = x.pow(2).sum(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * weight
