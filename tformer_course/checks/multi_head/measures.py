"""effective_rank and saturation."""

from __future__ import annotations

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_measures as wrong

EFFECTIVE_RANK = Exercise(
    name="effective_rank",
    points=1,
    reference=reference.effective_rank,
    cases=(
        Case(
            "diagonal",
            lambda draw: [torch.diag(torch.tensor([2.0, 2.0, 2.0, 0.0]))],
            expected=lambda m: 3.0,
            call=lambda answer, m: float(answer(m)),
        ),
        Case("one direction", lambda draw: [torch.outer(draw.normal(5), draw.normal(7))], lambda m: 1.0),
        Case("any matrix", lambda draw: [draw.normal(5, 8)], call=lambda answer, m: float(answer(m))),
        Case("a larger one", lambda draw: [100 * draw.normal(9, 4)], call=lambda answer, m: float(answer(m))),
        Case("a tiny one", lambda draw: [1e-6 * draw.normal(6, 4)], call=lambda answer, m: float(answer(m)), tol=1e-5),
        Case(
            "a small singular value",
            lambda draw: [torch.diag(torch.tensor([1.0, 0.5, 0.005], dtype=torch.float64))],
            call=lambda answer, m: float(answer(m)),
        ),
    ),
    mistakes=(
        Mistake(
            "counted",
            "you count the singular values that are not zero. How much does each one weigh here?",
            wrong.rank_counted,
        ),
        Mistake(
            "squared",
            "you square the singular values. Divide them by their sum as they are.",
            wrong.rank_of_squares,
        ),
        Mistake(
            "log_of_zero",
            "a singular value of 0 gives 0·log 0 = NaN. What is the limit of p·log p at 0?",
            wrong.rank_log_zero,
        ),
        Mistake(
            "without_exp", "that is the entropy. What turns it into a number of directions?", wrong.rank_without_exp
        ),
        Mistake(
            "not_normalised",
            "your result changes when the matrix is scaled. What must the singular values sum to before the entropy?",
            wrong.rank_not_normalised,
        ),
        Mistake(
            "fixed_threshold",
            "you leave out singular values below a fixed number, which depends on the matrix's scale. Only exact zeros "
            "need care.",
            wrong.rank_with_threshold,
        ),
        Mistake("bits", "you mix a log to base 2 with exp. Which two belong together?", wrong.rank_in_bits),
        Mistake(
            "sum_over_largest",
            "you divide the sum of the singular values by the largest. The entropy is asked for.",
            wrong.rank_by_largest,
        ),
    ),
)

SATURATION = Exercise(
    name="saturation",
    points=1,
    reference=reference.saturation,
    cases=(
        Case(
            "by hand",
            lambda draw: [torch.tensor([[0.97, 0.02, 0.01], [0.96, 0.02, 0.02], [0.5, 0.5, 0.0], [0.1, 0.6, 0.3]])],
            expected=lambda w: 0.5,
            call=lambda answer, w: float(answer(w)),
        ),
        Case(
            "another threshold",
            lambda draw: [draw.normal(2, 3, 8, 6, scale=6.0).softmax(-1), 0.6],
            call=lambda answer, w, t: float(answer(w, t)),
        ),
        Case(
            "exactly at the threshold",
            lambda draw: [torch.tensor([[0.5, 0.5], [0.25, 0.75]]), 0.5],
            expected=lambda w, t: 0.5,
            call=lambda answer, w, t: float(answer(w, t)),
        ),
        Case(
            "empty rows",
            lambda draw: [torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.0]])],
            expected=lambda w: 0.25,
            call=lambda answer, w: float(answer(w)),
        ),
    ),
    mistakes=(
        Mistake(
            "of_entries",
            "you count entries. A row is saturated or not, by its largest weight: how many rows are there?",
            wrong.saturation_of_entries,
        ),
        Mistake(
            "of_columns",
            "you look for the largest weight among the queries. A row is one query: which axis runs over its keys?",
            wrong.saturation_of_columns,
        ),
        Mistake(
            "at_least",
            "a weight that equals the threshold does not exceed it. Which comparison is asked for?",
            wrong.saturation_at_least,
        ),
        Mistake(
            "threshold_fixed", "your threshold is always 0.95. Where does the argument go?", wrong.saturation_fixed
        ),
        Mistake(
            "heads_averaged",
            "you average the heads first. A row of one head is saturated or not: how many rows are there in all?",
            wrong.saturation_of_mean_map,
        ),
        Mistake(
            "first_key",
            "you look at key 0 only. A row is saturated whichever key takes its weight.",
            wrong.saturation_of_first_key,
        ),
        Mistake("below", "you count the rows below the threshold. Which are saturated?", wrong.saturation_below),
        Mistake(
            "empty_rows_skipped",
            "you leave out rows that attend to nothing. The share is of all rows.",
            wrong.saturation_skips_empty,
        ),
        Mistake("counted", "you return a number of rows. Which share of all rows is that?", wrong.saturation_counts),
        Mistake(
            "mean_of_largest",
            "you return the mean of the largest weights. How many of them exceed the threshold?",
            wrong.saturation_mean_of_largest,
        ),
    ),
)
