"""Cuts a stream into rows.

mistake: split_examples
fails: many examples
"""


def pack_examples(examples, length, eos_id):
    if any(len(e) + 1 > length for e in examples):
        raise ValueError("too long")
    stream = [t for e in examples for t in [*e, eos_id]]
    owner = [i for i, e in enumerate(examples) for _ in range(len(e) + 1)]
    ids, marks = [], []
    for start in range(0, len(stream), length):
        row, mine = stream[start : start + length], owner[start : start + length]
        ids.append(row + [eos_id] * (length - len(row)))
        marks.append([m - mine[0] + 1 for m in mine] + [0] * (length - len(mine)))
    return torch.tensor(ids), torch.tensor(marks)
