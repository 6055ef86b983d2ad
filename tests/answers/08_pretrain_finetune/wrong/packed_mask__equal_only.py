"""Equal segments and no more.

mistake: not_causal_with_padding
fails: several rows
"""


def packed_mask(segment_ids):
    q, k = segment_ids[:, :, None], segment_ids[:, None, :]
    place = torch.arange(segment_ids.shape[1])
    past = place[:, None] >= place[None, :]
    return (q == k)[:, None]
