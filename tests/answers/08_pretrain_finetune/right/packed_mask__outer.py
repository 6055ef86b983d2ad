"""Right: block by block."""


def packed_mask(segment_ids):
    rows, length = segment_ids.shape
    mask = torch.zeros(rows, 1, length, length, dtype=torch.bool)
    for r in range(rows):
        for s in segment_ids[r].unique().tolist():
            if s:
                mine = segment_ids[r] == s
                mask[r, 0] |= torch.outer(mine, mine)
    return mask & torch.ones(length, length).tril().bool()
