"""Subtracts the mean, as LayerNorm does.

mistake: mean_removed
fails: a batch of sequences
"""


def rms_norm(x, weight, eps=1e-6):
    x = x - x.mean(dim=-1, keepdim=True)
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * weight
