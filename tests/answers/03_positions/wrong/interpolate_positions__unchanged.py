"""Only the type is changed.

mistake: unchanged
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return positions * 1.0
