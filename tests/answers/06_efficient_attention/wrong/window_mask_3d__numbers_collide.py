"""Blocks are numbered with the whole ones only, so that two blocks share a number.

mistake: unnamed
fails: smaller blocks
"""


def window_mask_3d(shape, window):
    blocks = torch.cartesian_prod(*(torch.arange(s) // w for s, w in zip(shape, window)))
    counts = [s // w for s, w in zip(shape, window)]  # should be rounded up
    number = (blocks[:, 0] * counts[1] + blocks[:, 1]) * counts[2] + blocks[:, 2]
    return number[:, None] == number
