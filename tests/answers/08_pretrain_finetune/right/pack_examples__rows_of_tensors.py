"""Right: rows are tensors from the start, and filled by slices."""


def pack_examples(examples, length, eos_id):
    if any(len(e) + 1 > length for e in examples):
        raise ValueError("an example does not fit")
    ids, seg, used, number = [], [], length, 0
    for e in examples:
        n = len(e) + 1
        if used + n > length:
            ids.append(torch.full((length,), eos_id, dtype=torch.int64))
            seg.append(torch.zeros(length, dtype=torch.int64))
            used, number = 0, 0
        number += 1
        ids[-1][used : used + n - 1] = torch.tensor(list(e), dtype=torch.int64)
        seg[-1][used : used + n] = number
        used += n
    return torch.stack(ids), torch.stack(seg)
