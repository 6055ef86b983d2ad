"""Right: F.unfold, and channels moved to the end."""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(patch)
    columns = F.unfold(images, patch, stride=patch)  # (B, c·patch·patch, n)
    return columns.transpose(1, 2).unflatten(2, (c, patch * patch)).transpose(2, 3).flatten(2)
