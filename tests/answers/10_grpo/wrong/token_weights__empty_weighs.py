"""An empty sequence has a weight.

mistake: empty_ones_weigh
fails: empty sequences among others
"""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    real = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
    if aggregate == "sequence":
        weights = 1 / (len(real) * real.clamp(min=1))
    elif aggregate == "token":
        weights = torch.ones_like(real) / real.sum().clamp(min=1)
    else:
        weights = torch.ones_like(real) / (len(real) * max_len)
    return weights
