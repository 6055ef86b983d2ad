"""Uses the variance.

mistake: standard_deviation
fails: a batch of sequences
"""


def rms_norm(x, weight, eps=1e-6):
    mean_square = x.var(dim=-1, correction=0, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * weight
