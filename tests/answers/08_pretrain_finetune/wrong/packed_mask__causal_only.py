"""Causal and no more.

mistake: only_causal
fails: several rows
"""


def packed_mask(segment_ids):
    q, k = segment_ids[:, :, None], segment_ids[:, None, :]
    place = torch.arange(segment_ids.shape[1])
    past = place[:, None] >= place[None, :]
    return past.expand(len(segment_ids), 1, -1, -1)
