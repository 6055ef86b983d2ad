"""The number of positions is used, not the positions.

mistake: counted_from_the_start
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    for g in range(len(global_positions)):
        mask[int(g), :] = True
        mask[:, int(g)] = True
    return mask
