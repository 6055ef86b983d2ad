"""Right: Tensor.unfold twice."""


def patchify(images, patch):
    b, c, h, w = images.shape
    if h % patch != 0 or w % patch != 0:
        raise ValueError(f"{patch} does not divide {h} and {w}")
    squares = images.unfold(2, patch, patch).unfold(3, patch, patch)  # (B, c, rows, columns, patch, patch)
    return squares.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)
