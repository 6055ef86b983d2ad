"""token_weights."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ...models.grpo import objective as reference
from ..core.exercise import Case, Exercise, Mistake

RULES = ("sequence", "token", "constant")


def all_rules(answer: Callable, lengths, max_len: int) -> dict:
    """The weights under the three rules."""
    return {rule: answer(lengths, rule, max_len) for rule in RULES}


def with_empty(answer: Callable, lengths, max_len: int) -> dict:
    """The same with empty sequences; whether they count in the mean over sequences is left open."""
    found = all_rules(answer, lengths, max_len)
    total = (lengths * found["sequence"]).sum()
    found["sequence"] = found["sequence"] / torch.where(total == 0, torch.ones_like(total), total)
    return found


def _filled(x):
    return (x > 0).sum().clamp(min=1)


def _of(
    sequence: Callable = lambda n, x, m: 1 / (n * x.clamp(min=1)),
    token: Callable = lambda n, x, m: torch.ones_like(x) / x.sum().clamp(min=1),
    constant: Callable = lambda n, x, m: torch.full_like(x, 1 / (n * m)),
    empty: bool = True,
) -> Callable:
    """Weights with one rule done differently."""
    rules = {"sequence": sequence, "token": token, "constant": constant}

    def token_weights(lengths, aggregate, max_len):
        x = lengths if lengths.is_floating_point() else lengths.to(torch.get_default_dtype())
        weights = rules[aggregate](len(x), x, max_len)
        return weights * (x > 0) if empty else weights

    return token_weights


TOKEN_WEIGHTS = Exercise(
    name="token_weights",
    points=1.5,
    reference=reference.token_weights,
    cases=(
        Case("lengths 1 … 9", lambda draw: [draw.integers(1, 9, 6), 9], call=all_rules),
        Case("float64", lambda draw: [draw.integers(1, 30, 5).double(), 40], call=all_rules),
        Case("empty sequences", lambda draw: [torch.tensor([0, 4, 0, 2]), 6], call=with_empty),
        Case("nothing but empty ones", lambda draw: [torch.tensor([0, 0]), 6], call=with_empty),
    ),
    mistakes=(
        Mistake(
            "group_forgotten",
            "each sequence's tokens add up to 1, so a batch weighs N. By what is the mean over sequences divided?",
            _of(sequence=lambda n, x, m: 1 / x.clamp(min=1)),
        ),
        Mistake(
            "padding_counted",
            "padding counts in your mean over all tokens. How many tokens of the batch are real?",
            _of(token=lambda n, x, m: torch.full_like(x, 1 / (n * m))),
        ),
        Mistake(
            "padding_in_each_sequence",
            "you divide each sequence by the padded length. How many of its tokens count?",
            _of(sequence=lambda n, x, m: torch.full_like(x, 1 / (n * m))),
        ),
        Mistake(
            "longest_for_the_budget",
            "your constant divides by the longest sequence of the batch. Which length is the same in every batch?",
            _of(constant=lambda n, x, m: torch.ones_like(x) / (n * x.max().clamp(min=1))),
        ),
        Mistake(
            "budget_alone",
            "your constant divides by T alone. How many sequences share it?",
            _of(constant=lambda n, x, m: torch.full_like(x, 1 / m)),
        ),
        Mistake(
            "share_of_the_sequence",
            "you return the weight of a whole sequence, not that of one token. How many tokens share it?",
            _of(
                lambda n, x, m: torch.full_like(x, 1 / n),
                lambda n, x, m: x / x.sum().clamp(min=1),
                lambda n, x, m: x / (n * m),
            ),
        ),
        Mistake(
            "empty_ones_weigh",
            "an empty sequence has a weight. How much can none of its tokens weigh?",
            _of(empty=False),
        ),
        Mistake(
            "divides_by_zero",
            "an empty sequence divides by zero. What should its weight be?",
            _of(
                lambda n, x, m: 1 / (n * x),
                lambda n, x, m: torch.ones_like(x) / x.sum(),
                empty=False,
            ),
        ),
        Mistake(
            "empty_left_out",
            "an empty sequence is left out of N. Does it count?",
            _of(
                sequence=lambda n, x, m: 1 / (_filled(x) * x.clamp(min=1)),
                constant=lambda n, x, m: torch.ones_like(x) / (_filled(x) * m),
            ),
        ),
        Mistake(
            "swapped",
            "the rules “sequence” and “token” are swapped. Which of them is the mean of means?",
            _of(
                sequence=lambda n, x, m: torch.ones_like(x) / x.sum().clamp(min=1),
                token=lambda n, x, m: 1 / (n * x.clamp(min=1)),
            ),
        ),
    ),
)
