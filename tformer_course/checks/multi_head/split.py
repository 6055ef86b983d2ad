"""split_heads and merge_heads."""

from __future__ import annotations

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_heads as wrong


def refuses(call, *numbers: int) -> str:
    """How a call that must fail does fail: the kind of error, and whether its text has the numbers."""
    try:
        call()
    except NotImplementedError:
        raise
    except ValueError as error:
        named = all(str(n) in str(error) for n in numbers)
        return "ValueError with both numbers" if named else "ValueError without the numbers"
    except Exception as error:
        return type(error).__name__
    return "no error"


SPLIT_HEADS = Exercise(
    name="split_heads",
    points=1,
    reference=reference.split_heads,
    cases=(
        Case(
            "by hand",
            lambda draw: [torch.arange(24.0).view(1, 4, 6), 2],
            expected=lambda x, h: torch.stack([x[..., :3], x[..., 3:]], dim=1),
        ),
        # n = 5, H = 4, D = 3: all sizes differ.
        Case("values", lambda draw: [draw.normal(2, 5, 12), 4], grad=True),
        Case("strided input", lambda draw: [draw.normal(2, 12, 5).transpose(1, 2), 3]),
        Case(
            "a width that does not divide",
            lambda draw: [draw.normal(2, 5, 10), 4],
            expected=lambda x, h: "ValueError with both numbers",
            call=lambda answer, x, h: refuses(lambda: answer(x, h), 10, 4),
        ),
    ),
    mistakes=(
        Mistake(
            "view_without_transpose",
            "a head of yours holds pieces of several tokens: the shape is right, the order is not. In which order do "
            "the numbers of (B, n, C) lie in memory, and which axis has to be cut before axes change places?",
            wrong.view_without_transpose,
        ),
        Mistake(
            "heads_interleaved",
            "your heads are dealt like cards: head 0 takes entries 0, H, 2H, … of a token. Which entries belong "
            "together when W_Q is cut into H blocks?",
            wrong.split_interleaved,
        ),
        Mistake(
            "heads_not_moved",
            "the width is cut, but the head axis still stands after the positions. Which axis must come second?",
            wrong.split_not_moved,
        ),
        Mistake(
            "sizes_swapped",
            "you made C/H heads of width H. Which of the two new axes counts the heads?",
            wrong.split_widths_swapped,
        ),
        Mistake(
            "rounded_down",
            "for a width that H does not divide you drop the rest of each token. What should the caller read instead?",
            wrong.split_rounded_down,
        ),
        Mistake(
            "no_check",
            "H does not divide C here, and torch's own error comes up. Raise a ValueError that says both numbers.",
            wrong.split_unchecked,
        ),
        Mistake(
            "assert",
            "you raise an AssertionError, which vanishes under `python -O`. Which kind of error is asked for?",
            wrong.split_asserts,
        ),
        Mistake(
            "numbers_missing",
            "your ValueError does not say both numbers. Which two would help the caller to see what is off?",
            wrong.split_says_no_numbers,
        ),
    ),
)

MERGE_HEADS = Exercise(
    name="merge_heads",
    points=1,
    reference=reference.merge_heads,
    cases=(
        Case(
            "by hand",
            lambda draw: [torch.arange(24.0).view(1, 2, 4, 3)],
            expected=lambda x: torch.cat([x[:, 0], x[:, 1]], dim=-1),
        ),
        Case("values", lambda draw: [draw.normal(2, 4, 5, 3)], grad=True),
        Case("strided input", lambda draw: [draw.normal(2, 5, 3, 4).permute(0, 3, 1, 2)], grad=True),
    ),
    mistakes=(
        Mistake(
            "no_transpose",
            "a token of yours holds pieces of several tokens: the shape is right, the order is not. Which two axes "
            "must change places before the last two become one?",
            wrong.merge_without_transpose,
        ),
        Mistake(
            "interleaved",
            "you deal the heads like cards: entries of all heads alternate. Which axis must be the last but one, heads "
            "or width, so that a head stays in one piece?",
            wrong.merge_interleaved,
        ),
        Mistake(
            "summed",
            "you add the heads up, and the width shrinks to D. What does concatenation do with them?",
            wrong.merge_by_sum,
        ),
        Mistake(
            "averaged",
            "you average the heads, and the width shrinks to D. What does concatenation do with them?",
            wrong.merge_by_mean,
        ),
        Mistake(
            "tokens_merged",
            "you lengthen the sequence instead of the vectors. Which axis grows by the factor H?",
            wrong.merge_tokens,
        ),
        Mistake(
            "squeezed",
            "you drop an axis of size 1: a batch of one sample keeps its batch axis.",
            wrong.merge_squeezes,
        ),
    ),
)
