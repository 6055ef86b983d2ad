"""Right: a dictionary of rules and a multiplication by the mask."""


def token_weights(lengths: Tensor, aggregate: str, max_len: int) -> Tensor:

    x = lengths + torch.zeros((), dtype=torch.get_default_dtype())
    real = (x > 0).to(x.dtype)
    n, total = x.numel(), x.sum()
    safe = torch.where(x > 0, x, torch.ones_like(x))
    rules = {
        "sequence": 1 / safe / n,
        "token": torch.ones_like(x) / torch.clamp(total, min=1),
        "constant": torch.ones_like(x) / n / max_len,
    }
    return rules[aggregate] * real
