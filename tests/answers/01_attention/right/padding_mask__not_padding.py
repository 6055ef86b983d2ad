"""Right: the padding marked with `>=` and negated; einops-like indexing by None."""


def padding_mask(lengths, n):
    slots = torch.arange(n)[None, None, None, :]
    padded = torch.ge(slots, lengths[:, None, None, None])
    return torch.logical_not(padded)
