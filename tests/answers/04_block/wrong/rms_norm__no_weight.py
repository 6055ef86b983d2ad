"""Forgets the gain.

mistake: no_gain
fails: a batch of sequences
"""


def rms_norm(x, weight, eps=1e-6):
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps)
