"""Right: groups the examples first, then pads."""


def pack_examples(examples, length, eos_id):
    if any(len(e) >= length for e in examples):
        raise ValueError(f"an example is longer than {length - 1} tokens")
    groups = []
    for example in examples:
        size = sum(len(e) + 1 for e in groups[-1]) if groups else length
        if size + len(example) + 1 > length:
            groups.append([])
        groups[-1].append(example)
    ids, marks = [], []
    for group in groups:
        row = [t for e in group for t in [*e, eos_id]]
        mark = [i for i, e in enumerate(group, 1) for _ in range(len(e) + 1)]
        ids.append(row + [eos_id] * (length - len(row)))
        marks.append(mark + [0] * (length - len(mark)))
    return torch.tensor(ids, dtype=torch.long), torch.tensor(marks, dtype=torch.long)
