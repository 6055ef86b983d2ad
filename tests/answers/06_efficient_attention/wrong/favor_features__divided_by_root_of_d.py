"""Divided by √D.

mistake: divided_by_root_of_d
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T
    half = (x * x).sum(dim=-1, keepdim=True) / 2
    return torch.exp(dots - half) / x.shape[-1] ** 0.5
