"""Columns before rows.

mistake: columns_counted_first
fails: two frames of 4 × 6
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    f, c, r = torch.meshgrid(torch.arange(frames), torch.arange(width), torch.arange(height), indexing="ij")
    block = torch.stack([f.flatten() // wf, r.flatten() // wh, c.flatten() // ww], dim=-1)
    return (block[:, None, :] == block[None, :, :]).all(-1)
