"""Padding sees itself.

mistake: padding_sees_itself
fails: several rows
"""


def packed_mask(segment_ids):
    q, k = segment_ids[:, :, None], segment_ids[:, None, :]
    place = torch.arange(segment_ids.shape[1])
    past = place[:, None] >= place[None, :]
    return (((q == k) & (k > 0) & past) | torch.eye(len(place), dtype=torch.bool))[:, None]
