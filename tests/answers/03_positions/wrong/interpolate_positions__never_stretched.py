"""Positions are left alone where the target is not longer.

mistake: never_stretched
fails: stretched where the target is shorter
"""

import torch
def interpolate_positions(positions, train_len, target_len):
    if not positions.is_floating_point():
        positions = positions.to(torch.get_default_dtype())
    if target_len <= train_len: return positions
    return positions * train_len / target_len
