"""The gradient is cut.

mistake: unnamed
fails: two axes
"""

def interpolate_positions(positions, train_len, target_len):
    return positions.detach() * train_len / target_len
