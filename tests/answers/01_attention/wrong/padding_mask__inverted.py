"""True for padding, as key_padding_mask of nn.MultiheadAttention has it.

mistake: inverted
fails: lengths 3, 0, 4
"""


def padding_mask(lengths, n):
    return (torch.arange(n) >= lengths[:, None])[:, None, None, :]
