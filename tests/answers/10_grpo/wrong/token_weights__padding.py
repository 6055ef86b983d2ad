"""Padding counts under "token".

mistake: padding_counted
fails: other lengths
"""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    real = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
    if aggregate == "sequence":
        weights = 1 / (len(real) * real.clamp(min=1))
    elif aggregate == "token":
        weights = torch.ones_like(real) / (len(real) * max_len)
    else:
        weights = torch.ones_like(real) / (len(real) * max_len)
    return torch.where(real > 0, weights, 0.0)
