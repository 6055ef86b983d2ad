"""The longest sequence for the budget.

mistake: longest_for_the_budget
fails: other lengths
"""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:
    real = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
    if aggregate == "sequence":
        weights = 1 / (len(real) * real.clamp(min=1))
    elif aggregate == "token":
        weights = torch.ones_like(real) / real.sum().clamp(min=1)
    else:
        weights = torch.ones_like(real) / (len(real) * real.max().clamp(min=1))
    return torch.where(real > 0, weights, 0.0)
