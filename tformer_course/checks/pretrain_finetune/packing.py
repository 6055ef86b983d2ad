"""pack_examples."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ...models.pretrain_finetune import examples as reference
from ..core.exercise import Case, Exercise, Mistake

END = 2  # end token, and padding


def some_examples(draw, count: int, longest: int) -> list[list[int]]:
    return [draw.integers(3, 90, int(n)).tolist() for n in draw.integers(1, longest, count)]


def _pack(
    *,
    fits: Callable = lambda used, tokens, length: used + len(tokens) <= length,
    with_end: bool = True,
    end_marked: bool = True,
    continued: bool = False,
    search: Callable = lambda rows: rows[-1:],
    sort: bool = False,
    pad: int | None = None,
    start: int = 1,
    too_long: str = "error",
    one_each: bool = False,
) -> Callable:
    """Packing with one thing done differently."""

    def pack_examples(examples, length, eos_id):
        rows: list[tuple[list[int], list[int]]] = []
        seen = 0
        for example in sorted(examples, key=len, reverse=True) if sort else examples:
            tokens = [*example, eos_id] if with_end else list(example)
            if len(tokens) > length:
                if too_long == "error":
                    raise ValueError(f"{len(tokens)} tokens do not fit into {length}")
                if too_long == "skip":
                    continue
                tokens = tokens[:length]
            place = next((r for r in search(rows) if not one_each and fits(len(r[0]), tokens, length)), None)
            if place is None:
                place = ([], [])
                rows.append(place)
            seen += 1
            segment = seen if continued else (max(place[1]) + 1 if place[1] else start)
            place[0].extend(tokens)
            place[1].extend([segment] * len(tokens))
            if with_end and not end_marked:
                place[1][-1] = 0
        rows = [(r[:length], s[:length]) for r, s in rows]
        filler = eos_id if pad is None else pad
        ids = [r + [filler] * (length - len(r)) for r, _ in rows]
        segments = [s + [0] * (length - len(s)) for _, s in rows]
        size = (len(rows), length)
        return torch.tensor(ids).long().reshape(size), torch.tensor(segments).long().reshape(size)

    return pack_examples


def _split(examples, length, eos_id):
    """The stream of all tokens cut into rows, as in pretraining."""
    ids, segments = [], []
    for i, example in enumerate(examples, 1):
        if len(example) + 1 > length:
            raise ValueError("too long")
        ids += [*example, eos_id]
        segments += [i] * (len(example) + 1)
    rest = -len(ids) % length
    ids, segments = torch.tensor(ids + [eos_id] * rest), torch.tensor(segments + [0] * rest)
    ids, segments = ids.reshape(-1, length), segments.reshape(-1, length)
    first = segments[:, :1] - 1
    return ids, torch.where(segments > 0, segments - first, 0)


def _exactly_full_refused(examples, length, eos_id):
    if any(len(e) + 1 >= length for e in examples):
        raise ValueError("too long")
    return _pack()(examples, length, eos_id)


def packed(answer, examples, length, eos_id):
    """Both tensors; a refusal is a result that can be named."""
    try:
        ids, segments = answer(examples, length, eos_id)
    except ValueError:
        return "refused"
    return [ids, segments]


def refusal(answer, examples, length):
    """How the answer meets an example that is too long."""
    try:
        rows = len(answer(examples, length, END)[0])
    except ValueError:
        return "ValueError"
    return f"no ValueError: {rows} rows"


PACK_EXAMPLES = Exercise(
    name="pack_examples",
    points=1.5,
    reference=reference.pack_examples,
    cases=(
        Case("rows and segments", lambda draw: [some_examples(draw, 9, 6), 12, END], call=packed),
        Case(
            "rows that are exactly full",
            lambda draw: [[[5, 6, 7], [8], [9], [10, 11, 12, 13, 14], [15, 16]], 6, END],
            call=packed,
        ),
        Case("many", lambda draw: [some_examples(draw, 40, 9), 15, 1], call=packed),
        Case(
            "the examples stay as they are",
            lambda draw: [[[5, 6], [7], [8, 9, 10]], 8, END],
            lambda examples, length, eos: [reference.pack_examples(examples, length, eos)[0], examples],
            call=lambda answer, examples, length, eos: [answer(examples, length, eos)[0], examples],
        ),
        Case("no row fits", lambda draw: [[[5, 6], [7, 8, 9, 10]], 4], lambda e, n: "ValueError", call=refusal),
    ),
    mistakes=(
        Mistake(
            "end_not_in_the_segment",
            "the end token is in no segment. To which example does it belong?",
            _pack(end_marked=False),
        ),
        Mistake(
            "end_not_counted",
            "you look whether the example fits, but not its end token, and cut the row. How many tokens are added?",
            _pack(fits=lambda used, tokens, length: used + len(tokens) - 1 <= length),
        ),
        Mistake(
            "never_full",
            "a row that would be exactly full is not used. Does an example fit that fills it to the last place?",
            _pack(fits=lambda used, tokens, length: used + len(tokens) < length),
        ),
        Mistake(
            "full_length_refused",
            "you refuse an example that fills a row exactly. How long may one be with its end token?",
            _exactly_full_refused,
        ),
        Mistake(
            "segments_go_on",
            "your segments count on from row to row. From which number does each row start?",
            _pack(continued=True),
        ),
        Mistake(
            "segments_from_zero",
            "your first segment is 0, which means padding. From which number are they counted?",
            _pack(start=0),
        ),
        Mistake(
            "first_fit",
            "you put an example into an earlier row that has room. Which row does next-fit look at?",
            _pack(search=lambda rows: rows),
        ),
        Mistake(
            "sorted",
            "you sort the examples. In which order should they stay?",
            _pack(sort=True),
        ),
        Mistake("split_examples", "an example goes on in the next row. What should never be split?", _split),
        Mistake(
            "padded_with_zero",
            "you fill with 0, which is a token like others. Which token fills a row?",
            _pack(pad=0),
        ),
        Mistake(
            "one_example_per_row",
            "each example has a row of its own. When does a new row begin?",
            _pack(one_each=True),
        ),
        Mistake(
            "truncated",
            "an example that is too long is cut. What should happen instead?",
            _pack(too_long="cut"),
        ),
        Mistake(
            "skipped",
            "an example that is too long is left out in silence. What should happen instead?",
            _pack(too_long="skip"),
        ),
        Mistake(
            "no_end",
            "no example has its end token. What closes each of them?",
            _pack(with_end=False),
        ),
    ),
)
