"""The causal window.

mistake: causal_window
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    back = i[:, None] - i[None, :]
    mask = (back >= 0) & (back < window)
    for g in global_positions:
        mask[int(g), :] = True
        mask[:, int(g)] = True
    return mask
