"""The window is read from the end.

mistake: window_backwards
fails: two frames of 4 × 6
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    ww, wh, wf = window
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.stack([f.flatten() // wf, r.flatten() // wh, c.flatten() // ww], dim=-1)
    return (block[:, None, :] == block[None, :, :]).all(-1)
