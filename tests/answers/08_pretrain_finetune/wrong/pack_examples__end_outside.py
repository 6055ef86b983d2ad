"""The end token has segment 0.

mistake: end_not_in_the_segment
fails: many examples
"""


def pack_examples(examples, length, eos_id):
    rows, segments = [], []
    for example in examples:
        if len(example) + 1 > length:
            raise ValueError("too long")
        if not rows or len(rows[-1]) + len(example) + 1 > length:
            rows.append([])
            segments.append([])
        segment = max(segments[-1], default=0) + 1
        rows[-1] += [*example, eos_id]
        segments[-1] += [segment] * len(example) + [0]
    ids = [row + [eos_id] * (length - len(row)) for row in rows]
    marks = [row + [0] * (length - len(row)) for row in segments]
    return torch.tensor(ids), torch.tensor(marks)
