"""No window.

mistake: no_window
fails: two global positions
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = torch.zeros(n, n, dtype=torch.bool)
    for g in global_positions:
        mask[int(g), :] = True
        mask[:, int(g)] = True
    return mask
