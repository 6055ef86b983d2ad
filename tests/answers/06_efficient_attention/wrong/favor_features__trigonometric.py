"""Sines and cosines.

mistake: trigonometric
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T
    half = (x * x).sum(dim=-1, keepdim=True) / 2
    return torch.exp(half) * torch.cat([torch.sin(dots), torch.cos(dots)], dim=-1) / m**0.5
