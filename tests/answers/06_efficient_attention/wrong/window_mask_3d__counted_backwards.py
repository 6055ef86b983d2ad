"""All axes reversed.

mistake: counted_backwards
fails: two frames of 4 × 6
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    c, r, f = torch.meshgrid(torch.arange(width), torch.arange(height), torch.arange(frames), indexing="ij")
    block = torch.stack([f.flatten() // wf, r.flatten() // wh, c.flatten() // ww], dim=-1)
    return (block[:, None, :] == block[None, :, :]).all(-1)
