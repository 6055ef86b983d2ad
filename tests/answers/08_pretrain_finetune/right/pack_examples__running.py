"""Right: fills two zero tensors by a running place."""


def pack_examples(examples, length, eos_id):
    places, row, used, segment = [], 0, 0, 0
    for example in examples:
        need = len(example) + 1
        if need > length:
            raise ValueError(f"{need} > {length}")
        if used + need > length:
            row, used, segment = row + 1, 0, 0
        segment += 1
        places.append((row, used, segment))
        used += need
    ids = torch.full((row + 1 if places else 0, length), eos_id, dtype=torch.long)
    marks = torch.zeros_like(ids)
    for example, (r, start, s) in zip(examples, places):
        ids[r, start : start + len(example)] = torch.tensor(list(example), dtype=torch.long)
        marks[r, start : start + len(example) + 1] = s
    return ids, marks
