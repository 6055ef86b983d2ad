"""Height and width of the window are exchanged.

mistake: height_and_width_swapped
fails: two frames
"""

def window_mask_3d(shape, window):
    axes = [torch.arange(s) // w for s, w in zip(shape, (window[0], window[2], window[1]))]
    ids = torch.stack(torch.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3)
    return (ids[:, None] == ids[None]).all(-1)
