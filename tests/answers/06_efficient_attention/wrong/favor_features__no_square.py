"""−‖x‖²/2 left out.

mistake: no_square
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T
    half = (x * x).sum(dim=-1, keepdim=True) / 2
    return torch.exp(dots) / m**0.5
