"""Looks at the height only.

mistake: unnamed
fails: sides that do not fit
"""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch:
        raise ValueError(f"{h} x {w} by {patch}")
    x = images.reshape(b, c, h // patch, patch, w // patch, patch)
    x = x.permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, -1, patch * patch * c)
