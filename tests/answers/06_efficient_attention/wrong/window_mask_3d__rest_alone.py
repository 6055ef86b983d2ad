"""Tokens outside whole windows see themselves only.

mistake: rest_alone
fails: smaller blocks at the ends
"""


def window_mask_3d(shape, window):
    frames, height, width = shape
    wf, wh, ww = window
    f, r, c = torch.meshgrid(torch.arange(frames), torch.arange(height), torch.arange(width), indexing="ij")
    block = torch.stack([f.flatten() // wf, r.flatten() // wh, c.flatten() // ww], dim=-1)
    whole = (f < frames // wf * wf) & (r < height // wh * wh) & (c < width // ww * ww)
    whole = whole.flatten()
    same = (block[:, None, :] == block[None, :, :]).all(-1)
    return same & whole[:, None] & whole[None, :] | torch.eye(len(block), dtype=torch.bool)
