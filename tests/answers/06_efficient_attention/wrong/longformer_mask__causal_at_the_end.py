"""Cut to the past at the end.

mistake: causal_at_the_end
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    for g in global_positions:
        mask[int(g), :] = True
        mask[:, int(g)] = True
    return mask.tril()
