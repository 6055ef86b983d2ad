"""Positions wrap around.

mistake: started_anew
fails: whole numbers
"""

def interpolate_positions(positions, train_len, target_len):
    return (positions % train_len) * 1.0
