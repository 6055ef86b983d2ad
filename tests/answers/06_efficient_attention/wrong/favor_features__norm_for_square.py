"""The norm in place of its square.

mistake: norm_for_square
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T
    half = x.norm(dim=-1, keepdim=True) / 2
    return torch.exp(dots - half) / m**0.5
