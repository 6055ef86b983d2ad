"""Whole division keeps integers.

mistake: whole_numbers
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return positions * train_len // target_len
