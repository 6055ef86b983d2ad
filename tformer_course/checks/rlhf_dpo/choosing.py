"""best_of_n and win_rate."""

from __future__ import annotations

import torch

from ...models.rlhf_dpo import preferences as reference
from ..core.exercise import Case, Exercise, Mistake


def whole_numbers(answer, scores):
    """The places as int64, whatever kind of integers they are; anything else as it is, and it is no place."""
    places = answer(scores)
    return places.long() if isinstance(places, torch.Tensor) and not places.is_floating_point() else places


BEST_OF_N = Exercise(
    name="best_of_n",
    points=0.75,
    reference=reference.best_of_n,
    cases=(
        Case("rows", lambda draw: [draw.normal(5, 6)], call=whole_numbers),
        Case("more dimensions", lambda draw: [draw.normal(2, 4, 7)], call=whole_numbers),
        Case("ties", lambda draw: [draw.integers(0, 2, 6, 8).double()], call=whole_numbers),
        Case("one row", lambda draw: [draw.normal(9, dtype=torch.float32)], call=whole_numbers),
    ),
    mistakes=(
        Mistake(
            "worst",
            "you choose the worst one. Which end of the order is the best?",
            lambda scores: scores.argmin(-1),
        ),
        Mistake(
            "score",
            "you return the best score, not where it stands. Which function gives the place?",
            lambda scores: scores.amax(-1),
        ),
        Mistake(
            "no_integers",
            "the places are right, but they are no integers. With which kind of numbers can one index?",
            lambda scores: scores.argmax(-1).to(scores.dtype),
        ),
        Mistake(
            "first_axis",
            "you choose along the first axis. Along which one do the samples lie?",
            lambda scores: scores.argmax(0),
        ),
        Mistake(
            "of_all",
            "you choose one from the whole tensor. For how many prompts is a choice to be made?",
            lambda scores: scores.argmax(),
        ),
        Mistake(
            "order",
            "you return an order of all samples. How many are chosen?",
            lambda scores: scores.argsort(-1, descending=True),
        ),
        Mistake(
            "marked",
            "you return a mark per sample. What is wanted is its place: which function gives it?",
            lambda scores: scores == scores.amax(-1, keepdim=True),
        ),
        Mistake(
            "last_axis_but_one",
            "you choose along the axis before the last. Along which one do the samples lie?",
            lambda scores: scores.argmax(-2) if scores.dim() > 2 else scores.argmax(-1),
        ),
        Mistake(
            "last_of_ties",
            "of several best ones you take the last. Which is asked for?",
            lambda scores: scores.shape[-1] - 1 - scores.flip(-1).argmax(-1),
        ),
    ),
)

WIN_RATE = Exercise(
    name="win_rate",
    points=0.75,
    reference=reference.win_rate,
    cases=(
        Case("no ties", lambda draw: [draw.normal(9), draw.normal(9) - 0.5]),
        Case("ties", lambda draw: [draw.integers(0, 2, 13).double(), draw.integers(0, 1, 13).double()]),
        Case("nothing but ties", lambda draw: [torch.ones(4), torch.ones(4)]),
        Case("more dimensions", lambda draw: [draw.integers(0, 3, 3, 5).float(), draw.integers(0, 3, 3, 5).float()]),
    ),
    mistakes=(
        Mistake(
            "ties_lost",
            "a tie counts as a loss in your rate. What should it count?",
            lambda a, b: float((a > b).double().mean()),
        ),
        Mistake(
            "ties_won",
            "a tie counts as a win in your rate. What should it count?",
            lambda a, b: float((a >= b).double().mean()),
        ),
        Mistake(
            "ties_dropped",
            "ties are left out, of the wins and of the count. What should a tie count?",
            lambda a, b: float((a > b).sum() / (a != b).sum().clamp(min=1)),
        ),
        Mistake(
            "other_side",
            "you count the wins of b. Whose rate is asked for?",
            lambda a, b: float(((b > a).double() + 0.5 * (a == b).double()).mean()),
        ),
        Mistake(
            "count",
            "you return a count. By what is a rate divided?",
            lambda a, b: float(((a > b).double() + 0.5 * (a == b).double()).sum()),
        ),
        Mistake(
            "per_cent",
            "you return per cent. Between which numbers lies a rate?",
            lambda a, b: 100 * float(((a > b).double() + 0.5 * (a == b).double()).mean()),
        ),
        Mistake(
            "mean_difference",
            "you average the differences: one large win outweighs many losses. What counts here?",
            lambda a, b: float((a - b).double().mean()),
        ),
        Mistake(
            "means_compared",
            "you compare the means. Of how many comparisons is this a rate?",
            lambda a, b: 1.0 if a.mean() > b.mean() else 0.5 if a.mean() == b.mean() else 0.0,
        ),
        Mistake(
            "wins_less_losses",
            "you subtract the losses. What is the rate of somebody who wins half?",
            lambda a, b: float((a - b).sign().double().mean()),
        ),
        Mistake(
            "bradley_terry",
            "you average Bradley–Terry probabilities: a win by a little counts little. What does a win count here?",
            lambda a, b: float((a - b).double().sigmoid().mean()),
        ),
    ),
)
