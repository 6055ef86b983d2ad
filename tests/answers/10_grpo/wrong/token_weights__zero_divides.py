"""An empty sequence divides by zero.

mistake: divides_by_zero
fails: empty sequences among others
"""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    real = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
    if aggregate == "sequence":
        weights = 1 / (len(real) * real)
    elif aggregate == "token":
        weights = torch.ones_like(real) / real.sum()
    else:
        weights = torch.ones_like(real) / (len(real) * max_len)
    return weights
