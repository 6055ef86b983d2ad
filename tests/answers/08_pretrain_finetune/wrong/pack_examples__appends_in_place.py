"""Appends the end to the caller's lists.

mistake: unnamed
fails: the examples stay
"""


def pack_examples(examples, length, eos_id):
    rows, segments = [], []
    for example in examples:
        example.append(eos_id)
        if len(example) > length:
            raise ValueError("too long")
        if not rows or len(rows[-1]) + len(example) > length:
            rows.append([])
            segments.append([])
        segment = segments[-1][-1] + 1 if segments[-1] else 1
        rows[-1] = rows[-1] + example
        segments[-1] = segments[-1] + [segment] * len(example)
    ids = [row + [eos_id] * (length - len(row)) for row in rows]
    marks = [row + [0] * (length - len(row)) for row in segments]
    return torch.tensor(ids), torch.tensor(marks)
