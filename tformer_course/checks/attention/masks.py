"""causal_mask and padding_mask."""

from __future__ import annotations

import math

import torch

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _square(n: int) -> torch.Tensor:
    return torch.ones(n, n, dtype=torch.bool)


def _additive_mask(n: int) -> torch.Tensor:
    return torch.zeros(n, n).masked_fill(~_square(n).tril(), -math.inf)


CAUSAL_MASK = Exercise(
    name="causal_mask",
    points=1,
    reference=reference.causal_mask,
    cases=(
        Case("five positions", lambda draw: [5]),
        Case("one position", lambda draw: [1]),
        Case("fresh length", lambda draw: [draw.integer(6, 30)]),
    ),
    mistakes=(
        Mistake(
            "diagonal_excluded",
            "a position may not attend to itself in your mask. What is left for the first position?",
            lambda n: _square(n).tril(-1),
        ),
        Mistake(
            "upper_triangle",
            "your positions see themselves and what follows, not what came before. Row i is the query: is j ≤ i above "
            "or below the diagonal?",
            lambda n: _square(n).triu(),
        ),
        Mistake(
            "blocked_positions",
            "your True marks the future, which must be hidden. In this course, what does True mean?",
            lambda n: _square(n).triu(1),
        ),
        Mistake(
            "one_step_ahead",
            "each position also sees the next one: the diagonal is off by one. Which keys are j ≤ i?",
            lambda n: _square(n).tril(1),
        ),
        Mistake(
            "not_boolean",
            "the ones stand in the right places, but the mask is made of numbers. Which dtype has True and False?",
            lambda n: torch.ones(n, n).tril(),
        ),
        Mistake(
            "additive",
            "your mask holds 0 and −inf, to be added to the scores. In this course a mask is boolean: what does it say "
            "for a visible key?",
            _additive_mask,
        ),
        Mistake(
            "integers",
            "the ones stand in the right places, but they are integers, and ~1 is −2. Which dtype has True and False?",
            lambda n: _square(n).tril().long(),
        ),
        Mistake(
            "leading_axes",
            "the entries are right, but there are two axes too many. Which shape does the docstring ask for?",
            lambda n: _square(n).tril()[None, None],
        ),
        Mistake("everything", "your mask hides nothing. Which keys lie in the future of query i?", _square),
    ),
)


def _real(lengths: torch.Tensor, n: int) -> torch.Tensor:
    return torch.arange(n) < lengths.unsqueeze(-1)  # (B, n)


def _both(lengths, n):
    real = _real(lengths, n)
    return (real[:, :, None] & real[:, None, :])[:, None]


PADDING_MASK = Exercise(
    name="padding_mask",
    points=1,
    reference=reference.padding_mask,
    cases=(
        Case("lengths 2, 0, 5", lambda draw: [torch.tensor([2, 0, 5]), 5]),
        Case("fresh lengths", lambda draw: [draw.integers(0, 9, 4), 9]),
        Case("int32", lambda draw: [draw.integers(0, 6, 3).to(torch.int32), 6]),
    ),
    mistakes=(
        Mistake(
            "queries_masked",
            "your mask lies along the queries (axis −2). Which axis of the scores (B, H, T, S) counts the keys?",
            lambda lengths, n: _real(lengths, n)[:, None, :, None],
        ),
        Mistake(
            "one_too_many",
            "one padding token per row is visible. Which indices do the first `length` tokens have, counted from 0?",
            lambda lengths, n: (torch.arange(n) <= lengths.unsqueeze(-1))[:, None, None, :],
        ),
        Mistake(
            "one_too_few",
            "the last real token of each row is hidden. Which indices do the first `length` tokens have, counted from "
            "0?",
            lambda lengths, n: (torch.arange(1, n + 1) < lengths.unsqueeze(-1))[:, None, None, :],
        ),
        Mistake(
            "never_empty",
            "a sample of length 0 has a visible token in your mask. How many real tokens does it have?",
            lambda lengths, n: _real(lengths.clamp(min=1), n)[:, None, None, :],
        ),
        Mistake(
            "width_of_the_longest",
            "your mask is as wide as the longest sample. Which argument says how wide the batch was padded?",
            lambda lengths, n: _real(lengths, int(lengths.max()))[:, None, None, :],
        ),
        Mistake(
            "inverted",
            "your True marks the padding. In this course, what does True mean?",
            lambda lengths, n: ~_real(lengths, n)[:, None, None, :],
        ),
        Mistake(
            "no_axes_for_heads_and_queries",
            "the entries are right, but the shape is (B, n). Against scores (B, H, T, S), which axes must be added for "
            "broadcasting?",
            _real,
        ),
        Mistake(
            "one_axis_missing",
            "the entries are right, but one axis is missing. Against scores (B, H, T, S), which axes does the mask "
            "need?",
            lambda lengths, n: _real(lengths, n)[:, None, :],
        ),
        Mistake(
            "queries_and_keys_masked",
            "you mask padded queries too. The shape (B, 1, 1, n) says that all queries share one row: which axis is "
            "that?",
            _both,
        ),
        Mistake(
            "padding_first",
            "your real tokens stand at the end of the row. Where is the padding in this course: before or after them?",
            lambda lengths, n: _real(lengths, n).flip(-1)[:, None, None, :],
        ),
        Mistake(
            "not_boolean",
            "the ones stand in the right places, but the mask is made of numbers. Which dtype has True and False?",
            lambda lengths, n: _real(lengths, n)[:, None, None, :].float(),
        ),
        Mistake(
            "integers",
            "the ones stand in the right places, but they are integers, and ~1 is −2. Which dtype has True and False?",
            lambda lengths, n: _real(lengths, n)[:, None, None, :].long(),
        ),
    ),
)
