"""The eps of LayerNorm.

mistake: other_default
fails: the default eps
"""


def rms_norm(x, weight, eps=1e-5):
    mean_square = x.pow(2).mean(dim=-1, keepdim=True)
    return x / torch.sqrt(mean_square + eps) * weight
