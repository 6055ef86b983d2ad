"""The dot products are divided by √D.

mistake: exponent_scaled
fails: five tokens, six features
"""


def favor_features(x, projection):
    m = projection.shape[0]
    dots = x @ projection.T / math.sqrt(x.shape[-1])
    half = (x * x).sum(dim=-1, keepdim=True) / 2
    return torch.exp(dots - half) / m**0.5
