"""0 and −inf instead of a bool.

mistake: unnamed
fails: several rows
"""


def packed_mask(segment_ids):
    q, k = segment_ids[:, :, None], segment_ids[:, None, :]
    place = torch.arange(segment_ids.shape[1])
    past = place[:, None] >= place[None, :]
    return torch.where((q == k) & (k > 0) & past, 0.0, -math.inf)[:, None]
