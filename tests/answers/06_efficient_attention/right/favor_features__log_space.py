"""Right: everything in the exponent."""


def favor_features(x, projection):
    exponent = F.linear(x, projection) - x.pow(2).sum(-1, keepdim=True).mul(0.5) - 0.5 * math.log(projection.shape[0])
    return exponent.exp()
