"""Only a reshape.

mistake: only_reshaped
fails: three channels, a wide picture
"""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(f"{h} x {w} by {patch}")
    x = images
    return x.reshape(b, -1, patch * patch * c)
