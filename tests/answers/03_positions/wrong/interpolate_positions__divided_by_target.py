"""Positions between 0 and 1.

mistake: divided_by_target
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return positions / target_len
