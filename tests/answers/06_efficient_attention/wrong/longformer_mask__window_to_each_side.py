"""The whole window to each side, inclusive.

mistake: window_to_each_side
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window
    for g in global_positions:
        mask[int(g), :] = True
        mask[:, int(g)] = True
    return mask
