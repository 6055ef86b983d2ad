"""Converted first where the positions are whole numbers.
"""

def interpolate_positions(positions: Tensor, train_len: int, target_len: int) -> Tensor:
    if not positions.is_floating_point():
        positions = positions.to(torch.get_default_dtype())
    return torch.mul(positions, train_len / target_len)
