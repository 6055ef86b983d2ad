"""Divided by the number of windows.

mistake: number_of_windows
fails: smaller blocks at the ends
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = (max(1, math.ceil(n / w)) for n, w in zip(shape, window))
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.stack([f.flatten() // wf, r.flatten() // wh, c.flatten() // ww], dim=-1)
    return (block[:, None, :] == block[None, :, :]).all(-1)
