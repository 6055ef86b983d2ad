"""interpolate_positions and ntk_base."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ...models import positions as reference
from ..core.exercise import Case, Exercise, Mistake

INTERPOLATE_POSITIONS = Exercise(
    name="interpolate_positions",
    points=1,
    reference=reference.interpolate_positions,
    cases=(
        Case("whole numbers", lambda draw: [torch.arange(9), 4, 12]),
        Case("any shape", lambda draw: [draw.uniform(2, 5, high=100.0), 64, 256], grad=True),
        Case("a shorter target", lambda draw: [torch.arange(9), 48, 16]),
        Case("float32", lambda draw: [draw.uniform(6, high=50.0, dtype=torch.float32), 32, 48]),
    ),
    mistakes=(
        Mistake(
            "scaled_up",
            "your positions grow. A long text must fit into the range seen in training: which length stands below?",
            lambda positions, train_len, target_len: positions * (target_len / train_len),
        ),
        Mistake(
            "rounded_down",
            "your positions are whole numbers, so neighbours share one. May a position lie between two whole numbers?",
            lambda positions, train_len, target_len: (positions * train_len / target_len).floor(),
        ),
        Mistake(
            "whole_numbers",
            "your positions are whole numbers of an integer type. May a position lie between two whole numbers?",
            lambda positions, train_len, target_len: positions * train_len // target_len,
        ),
        Mistake(
            "never_stretched",
            "positions stay as they are where the target is shorter than the training length. Does the formula say so?",
            lambda positions, train_len, target_len: positions * min(1.0, train_len / target_len),
        ),
        Mistake(
            "clamped",
            "all positions beyond the training length become the same in your version. Should two of them differ?",
            lambda positions, train_len, target_len: positions.clamp(max=train_len - 1) * 1.0,
        ),
        Mistake(
            "started_anew",
            "your positions start anew after the training length. Should two tokens share a position?",
            lambda positions, train_len, target_len: positions * 1.0 % train_len,
        ),
        Mistake(
            "ends_matched",
            "you map the last position onto the last one of training. Which two lengths stand in the formula?",
            lambda positions, train_len, target_len: positions * ((train_len - 1) / (target_len - 1)),
        ),
        Mistake(
            "unchanged",
            "your positions are unchanged. By which factor is the text longer?",
            lambda positions, train_len, target_len: positions * 1.0,
        ),
        Mistake(
            "divided_by_target",
            "your positions lie between 0 and 1. Which range has the model seen in training?",
            lambda positions, train_len, target_len: positions / target_len,
        ),
    ),
)


def _exponent(rule: Callable[[float], float]) -> Callable[..., float]:
    return lambda base, d_head, factor: base * factor ** rule(d_head)


NTK_BASE = Exercise(
    name="ntk_base",
    points=1,
    reference=reference.ntk_base,
    cases=(
        Case("two times longer", lambda draw: [10000.0, 64, 2.0]),
        Case("a small head", lambda draw: [10000.0, 4, 3.0]),
        Case("fresh numbers", lambda draw: [500000.0, 2 * draw.integer(4, 40), float(draw.integer(3, 20))]),
        Case("no longer", lambda draw: [10000.0, 32, 1.0]),
    ),
    mistakes=(
        Mistake(
            "times_factor",
            "your base grows by the factor itself. The slowest pair has the exponent (d − 2)/d: what must the base do "
            "for it to slow down by the factor?",
            _exponent(lambda d: 1.0),
        ),
        Mistake(
            "scaled_down",
            "your base shrinks. Should the slow pairs turn faster or slower in a longer text?",
            _exponent(lambda d: -d / (d - 2)),
        ),
        Mistake(
            "exponent_inverted",
            "your exponent is (d − 2)/d. What is base' where base'^((d − 2)/d) = factor·base^((d − 2)/d)?",
            _exponent(lambda d: (d - 2) / d),
        ),
        Mistake(
            "one_less",
            "your exponent is d/(d − 1). What is the exponent 2i/d of the last pair, i = d/2 − 1?",
            _exponent(lambda d: d / (d - 1)),
        ),
        Mistake(
            "pairs_for_width",
            "you count pairs where the formula counts columns. What is d_head?",
            _exponent(lambda d: (d / 2) / (d / 2 - 2) if d > 4 else 0.5),
        ),
        Mistake(
            "brackets_missing",
            "your exponent is d/d − 2, and d/d is 1. Which part of it belongs into brackets?",
            _exponent(lambda d: d / d - 2),
        ),
        Mistake(
            "exponent_d",
            "your exponent is d. It is a little more than 1 for wide heads: which fraction is that?",
            _exponent(lambda d: float(d)),
        ),
        Mistake(
            "base_to_the_power",
            "you raise base·factor to the power. Which one of the two is raised?",
            lambda base, d_head, factor: (base * factor) ** (d_head / (d_head - 2)),
        ),
        Mistake(
            "no_power",
            "you multiply by d/(d − 2). Is it a factor or an exponent?",
            lambda base, d_head, factor: base * factor * d_head / (d_head - 2),
        ),
    ),
)
