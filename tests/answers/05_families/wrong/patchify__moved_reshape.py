"""Channels moved, then a reshape.

mistake: channels_moved_and_reshaped
fails: three channels, a wide picture
"""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(f"{h} x {w} by {patch}")
    x = images.permute(0, 2, 3, 1)
    return x.reshape(b, -1, patch * patch * c)
