"""Cuts off what does not fit.

mistake: rest_cut_off
fails: sides that do not fit
"""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        images = images[:, :, : h - h % patch, : w - w % patch]
        b, c, h, w = images.shape
    x = images.reshape(b, c, h // patch, patch, w // patch, patch)
    x = x.permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, -1, patch * patch * c)
