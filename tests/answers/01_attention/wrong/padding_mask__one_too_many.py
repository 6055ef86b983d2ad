"""`<=` for `<`: the first padding token stays.

mistake: one_too_many
fails: TODO
"""


def padding_mask(lengths, n):
    return (torch.arange(n) <= lengths[:, None])[:, None, None, :]
