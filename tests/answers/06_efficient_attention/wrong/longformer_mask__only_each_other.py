"""Global tokens see only each other.

mistake: only_each_other
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    for g in global_positions:
        for h in global_positions:
            mask[int(g), int(h)] = True
    return mask
