"""Right pattern, but of floats.

mistake: not_boolean
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    mask = torch.zeros(len(lengths), 1, 1, n)
    for b, length in enumerate(lengths):
        mask[b, ..., :length] = 1
    return mask
