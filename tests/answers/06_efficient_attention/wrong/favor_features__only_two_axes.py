"""Fails for heads.

mistake: unnamed
fails: heads, more features
"""


def favor_features(x, projection):
    n, d = x.shape
    m = projection.shape[0]
    dots = x @ projection.T
    half = (x * x).sum(dim=-1, keepdim=True) / 2
    return torch.exp(dots - half) / m**0.5
