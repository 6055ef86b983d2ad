"""The lengths are exchanged.

mistake: scaled_up
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return positions * target_len / train_len
