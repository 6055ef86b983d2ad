"""Global tokens are read, but do not read.

mistake: global_columns_only
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    for g in global_positions:
        mask[:, int(g)] = True
    return mask
