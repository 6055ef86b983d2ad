"""Empty sequences are left out of N.

mistake: empty_left_out
fails: empty sequences among others
"""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    real = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
    n = (real > 0).sum().clamp(min=1)
    if aggregate == "sequence":
        weights = 1 / (n * real.clamp(min=1))
    elif aggregate == "token":
        weights = torch.ones_like(real) / real.sum().clamp(min=1)
    else:
        weights = torch.ones_like(real) / (n * max_len)
    return torch.where(real > 0, weights, 0.0)
