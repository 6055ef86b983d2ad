"""Segments count on.

mistake: segments_go_on
fails: many examples
"""


def pack_examples(examples, length, eos_id):
    rows, segments, number = [], [], 0
    for example in examples:
        tokens = [*example, eos_id]
        number += 1
        if len(tokens) > length:
            raise ValueError(f"{len(tokens)} tokens do not fit into {length}")
        if not rows or len(rows[-1]) + len(tokens) > length:
            rows.append([])
            segments.append([])
        segment = number
        rows[-1] = rows[-1] + tokens
        segments[-1] = segments[-1] + [segment] * len(tokens)
    ids = [(row + [eos_id] * length)[:length] for row in rows]
    marks = [(row + [0] * length)[:length] for row in segments]
    return torch.tensor(ids), torch.tensor(marks)
