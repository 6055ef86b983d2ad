"""Right: one sample at a time."""


def padding_mask(lengths, n):
    mask = torch.zeros(len(lengths), 1, 1, n, dtype=torch.bool)
    for b, length in enumerate(lengths.tolist()):
        mask[b, :, :, :length] = True
    return mask
