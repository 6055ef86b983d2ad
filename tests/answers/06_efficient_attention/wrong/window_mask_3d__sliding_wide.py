"""Windows slide, and reach too far.

mistake: sliding_wide
fails: two frames of 4 × 6
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.stack([f.flatten(), r.flatten(), c.flatten()], dim=-1)
    return ((block[:, None, :] - block[None, :, :]).abs() < torch.tensor([wf, wh, ww])).all(-1)
