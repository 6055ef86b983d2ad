"""Channels first in a patch.

mistake: channels_first
fails: three channels, a wide picture
"""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(f"{h} x {w} by {patch}")
    x = images.reshape(b, c, h // patch, patch, w // patch, patch)
    x = x.permute(0, 2, 4, 1, 3, 5)
    return x.reshape(b, -1, patch * patch * c)
