"""The window alone.

mistake: global_positions_forgotten
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    return mask
