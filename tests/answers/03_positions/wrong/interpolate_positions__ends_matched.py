"""Last position onto last position, as in image resizing.

mistake: ends_matched
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return positions * (train_len - 1) / (target_len - 1)
