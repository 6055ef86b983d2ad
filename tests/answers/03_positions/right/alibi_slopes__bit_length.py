"""The power by bit_length, exponents as tensors.
"""

def alibi_slopes(num_heads: int) -> Tensor:
    p = 1 << (num_heads.bit_length() - 1)
    first = torch.arange(1, p + 1) * (-8.0 / p)
    rest = torch.arange(1, 2 * (num_heads - p) + 1, 2) * (-4.0 / p)
    return torch.cat((first, rest)).exp2()
