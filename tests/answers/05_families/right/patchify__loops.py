"""Right: cuts and stacks."""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch or w % patch:
        raise ValueError(f"{h} x {w} by {patch}")
    rows = []
    for band in images.split(patch, dim=2):
        for square in band.split(patch, dim=3):
            rows.append(square.permute(0, 2, 3, 1).reshape(b, -1))
    return torch.stack(rows, dim=1)
