"""An empty list becomes a float tensor, which cannot index.

mistake: unnamed
fails: no global position
"""


def longformer_mask(n, window, global_positions):
    i = torch.arange(n)
    mask = (i[:, None] - i[None, :]).abs() <= window // 2
    g = torch.as_tensor(global_positions)
    mask[g, :] = True
    mask[:, g] = True
    return mask
