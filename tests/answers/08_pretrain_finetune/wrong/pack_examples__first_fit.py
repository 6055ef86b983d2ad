"""First-fit.

mistake: first_fit
fails: many examples
"""


def pack_examples(examples, length, eos_id):
    rows, segments = [], []
    for example in examples:
        tokens = [*example, eos_id]
        if len(tokens) > length:
            raise ValueError("too long")
        at = next((i for i, row in enumerate(rows) if len(row) + len(tokens) <= length), None)
        if at is None:
            rows.append([])
            segments.append([])
            at = -1
        segments[at] += [segments[at][-1] + 1 if segments[at] else 1] * len(tokens)
        rows[at] += tokens
    ids = [row + [eos_id] * (length - len(row)) for row in rows]
    marks = [row + [0] * (length - len(row)) for row in segments]
    return torch.tensor(ids), torch.tensor(marks)
