"""The square of w.

mistake: square_of_projection
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T
    half = (projection * projection).sum(dim=-1) / 2
    return torch.exp(dots - half) / m**0.5
