"""Right: the variance as mean of squares minus square of the mean, in one pass."""


def layer_norm(x, weight, bias, eps=1e-5):
    width = x.shape[-1]
    mean = (x.sum(-1) / width)[..., None]
    centred = x - mean
    variance = torch.einsum("...i,...i->...", centred, centred)[..., None] / width
    return torch.addcmul(bias, centred / torch.sqrt(variance + eps), weight)
