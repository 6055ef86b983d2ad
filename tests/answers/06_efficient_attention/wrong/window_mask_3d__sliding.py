"""Windows slide.

mistake: sliding
fails: two frames of 4 × 6
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.stack([f.flatten(), r.flatten(), c.flatten()], dim=-1)
    return ((block[:, None, :] - block[None, :, :]).abs() <= torch.tensor([wf // 2, wh // 2, ww // 2])).all(-1)
