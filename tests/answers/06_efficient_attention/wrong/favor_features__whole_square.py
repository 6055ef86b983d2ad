"""‖x‖² without the half.

mistake: whole_square
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T
    half = (x * x).sum(dim=-1, keepdim=True)
    return torch.exp(dots - half) / m**0.5
