"""Runs of token numbers.

mistake: flat_blocks
fails: two frames of 4 × 6
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.arange(frames * height * width)[:, None] // (wf * wh * ww)
    return (block[:, None, :] == block[None, :, :]).all(-1)
