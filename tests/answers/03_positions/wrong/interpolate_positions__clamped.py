"""Positions beyond the training length are clamped.

mistake: clamped
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return positions.clamp(max=train_len - 1) * 1.0
