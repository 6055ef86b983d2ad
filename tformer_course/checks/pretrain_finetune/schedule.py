"""cosine_with_warmup."""

from __future__ import annotations

import math

from ...models.pretrain_finetune import optimiser as reference
from ..core.exercise import Case, Exercise, Mistake


def _rates(answer, steps, *settings):
    """The rates of some steps; a division by zero is a result that can be named."""
    try:
        return [float(answer(step, *settings)) for step in steps]
    except ZeroDivisionError:
        return "a division by zero"


def _curve(up, down, end=lambda progress: min(progress, 1.0)):
    """A schedule by its two parts, as functions of the share of each that is over."""

    def cosine_with_warmup(step, warmup, total, peak, floor=0.0):
        if step < warmup:
            return up(step, warmup, peak, floor)
        return down(end((step - warmup) / (total - warmup)), peak, floor)

    return cosine_with_warmup


def _up(step, warmup, peak, floor):
    return peak * step / warmup


def _down(p, peak, floor):
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


def _whole_period(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return _down(min(step / total, 1.0), peak, floor)


def _no_guard(step, warmup, total, peak, floor=0.0):
    line = peak * step / warmup
    return line if step < warmup else _down(min((step - warmup) / (total - warmup), 1.0), peak, floor)


def _late_peak(step, warmup, total, peak, floor=0.0):
    if step <= warmup:
        return peak * step / max(warmup, 1)
    return _down(min((step - warmup) / (total - warmup), 1.0), peak, floor)


def _length_after_warmup(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    return _down(min((step - warmup) / total, 1.0), peak, floor)


def _zero_after_the_end(step, warmup, total, peak, floor=0.0):
    return 0.0 if step > total else _curve(_up, _down)(step, warmup, total, peak, floor)


COSINE_WITH_WARMUP = Exercise(
    name="cosine_with_warmup",
    points=1.5,
    reference=reference.cosine_with_warmup,
    cases=(
        Case("the line up", lambda draw: [[0, 1, 4, 9], 10, 50, 0.3, 0.1], call=_rates),
        Case("the peak", lambda draw: [[10], 10, 50, 0.3, 0.1], call=_rates),
        Case("the cosine", lambda draw: [[13, 20, 30, 45, 49], 10, 50, 0.3, 0.1], call=_rates),
        Case("the end and after", lambda draw: [[50, 51, 70, 90, 1000], 10, 50, 0.3, 0.1], call=_rates),
        Case("floor 0 by default", lambda draw: [[3, 30, 50, 80], 5, 50, 2.0], call=_rates),
        Case("no warm-up", lambda draw: [[0, 1, 20, 40, 41], 0, 40, 0.5, 0.05], call=_rates),
    ),
    mistakes=(
        Mistake(
            "restarts",
            "after the last step your rate rises again: the cosine goes on. What should hold after total?",
            _curve(_up, _down, end=lambda p: p),
        ),
        Mistake(
            "restarts_at_total",
            "at the last step your rate jumps back to the peak: the cosine begins anew. What should hold after total?",
            _curve(_up, _down, end=lambda p: p % 1.0),
        ),
        Mistake(
            "floor_added",
            "you add the floor to a cosine from the peak, so the peak is too high. Between which two values "
            "does the cosine "
            "fall?",
            _curve(_up, lambda p, peak, floor: floor + peak * (1 + math.cos(math.pi * p)) / 2),
        ),
        Mistake(
            "floor_as_minimum",
            "you cut the cosine off at the floor. Between which two values should it fall?",
            _curve(_up, lambda p, peak, floor: max(floor, peak * (1 + math.cos(math.pi * p)) / 2)),
        ),
        Mistake(
            "warmup_zero_divides",
            "with warmup 0 you divide by zero. What is the rate of step 0 then?",
            _no_guard,
        ),
        Mistake(
            "starts_at_floor",
            "your line starts at the floor. Where does the exercise let it start?",
            _curve(lambda step, warmup, peak, floor: floor + (peak - floor) * step / warmup, _down),
        ),
        Mistake(
            "one_step_early",
            "your line is one step ahead: step 0 has a rate already. What is the rate of step 0?",
            _curve(lambda step, warmup, peak, floor: peak * (step + 1) / warmup, _down),
        ),
        Mistake(
            "whole_period",
            "your cosine began at step 0, so the rate jumps down after the warm-up. Of which stretch is it the half "
            "cosine?",
            _whole_period,
        ),
        Mistake(
            "ends_late",
            "your cosine lasts total steps after the warm-up, so it ends late. How many steps are left for it?",
            _length_after_warmup,
        ),
        Mistake(
            "late_peak",
            "with warmup 0 the first step has rate 0. From which step on does the cosine hold?",
            _late_peak,
        ),
        Mistake(
            "straight_line_down",
            "your rate falls in a straight line. Which curve is asked for?",
            _curve(_up, lambda p, peak, floor: peak + (floor - peak) * p),
        ),
        Mistake(
            "quarter_cosine",
            "you use a quarter of a period, which falls fastest at the end. At which angle does half a cosine end?",
            _curve(_up, lambda p, peak, floor: floor + (peak - floor) * math.cos(math.pi * p / 2)),
        ),
        Mistake(
            "full_cosine",
            "you use a whole period, which ends at the peak again. At which angle does half a cosine end?",
            _curve(_up, lambda p, peak, floor: floor + (peak - floor) * (1 + math.cos(2 * math.pi * p)) / 2),
        ),
        Mistake(
            "falls_below_zero",
            "your cosine falls to −peak. How do you move it from [−1, 1] to [0, 1]?",
            _curve(_up, lambda p, peak, floor: floor + (peak - floor) * math.cos(math.pi * p)),
        ),
        Mistake(
            "zero_after_the_end",
            "after total your rate is 0. What should hold after total?",
            _zero_after_the_end,
        ),
    ),
)
