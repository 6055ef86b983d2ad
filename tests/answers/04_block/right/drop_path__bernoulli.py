"""Right: bernoulli_ on an empty tensor, as in timm."""


def drop_path(x, p, training, generator=None):
    if p == 0.0 or not training:
        return x
    keep = 1.0 - p
    coins = x.new_empty((x.shape[0],) + (1,) * (x.ndim - 1)).bernoulli_(keep, generator=generator)
    return x * coins / keep if keep > 0 else x * coins
