"""Divided by the number of windows.

mistake: number_of_windows
fails: smaller blocks at the ends
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.stack([f.flatten() // max(1, -(-frames // wf)), r.flatten() // max(1, -(-height // wh)), c.flatten() // max(1, -(-width // ww))], dim=-1)
    return (block[:, None, :] == block[None, :, :]).all(-1)
