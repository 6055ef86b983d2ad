""""sequence" and "token" are swapped.

mistake: swapped
fails: other lengths
"""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    real = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
    if aggregate == "token":
        weights = 1 / (len(real) * real.clamp(min=1))
    elif aggregate == "sequence":
        weights = torch.ones_like(real) / real.sum().clamp(min=1)
    else:
        weights = torch.ones_like(real) / (len(real) * max_len)
    return torch.where(real > 0, weights, 0.0)
