"""Every n-th pixel.

mistake: every_nth_pixel
fails: three channels, a wide picture
"""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(f"{h} x {w} by {patch}")
    x = images.reshape(b, c, patch, h // patch, patch, w // patch)
    x = x.permute(0, 3, 5, 2, 4, 1)
    return x.reshape(b, -1, patch * patch * c)
