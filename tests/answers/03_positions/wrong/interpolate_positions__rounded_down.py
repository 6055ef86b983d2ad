"""Positions are rounded down.

mistake: rounded_down
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return torch.floor(positions * train_len / target_len)
