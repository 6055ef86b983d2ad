"""The quarter turn is a roll by half the width and a sign.
"""

def apply_rotary(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    sign = torch.ones(x.shape[-1], dtype=x.dtype)
    sign[:half] = -1
    return x * cos + x.roll(half, dims=-1) * sign * sin
