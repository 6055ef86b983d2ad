"""yarn_frequencies."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import positions as reference
from ..core.exercise import Case, Exercise, Mistake


def as_ratios(answer: Callable, d_head: int, base: float, *more: float) -> tuple[Tensor, float]:
    """Calls yarn_frequencies; the frequencies come back divided by those of training, so that slow pairs count too."""
    result = answer(d_head, base, *more)
    if not (isinstance(result, tuple | list) and len(result) == 2 and isinstance(result[0], Tensor)):
        return result  # the comparison says what is missing
    frequencies, scale = result
    plain = base ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)
    return frequencies.double() / plain if frequencies.shape == plain.shape else frequencies.double(), float(scale)


def _borders(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    return tuple(d * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base)) for turns in (fast, slow))


def _usual(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    low, high = _borders(d, base, length, fast, slow)
    return max(math.floor(low), 0), min(math.ceil(high), d - 1)


def _linear(d: int, low: float, high: float) -> Tensor:
    return ((torch.arange(d // 2) - low) / (high - low if high != low else 0.001)).clamp(0, 1)


def _blend(plain: Tensor, factor: float, ramp: Tensor) -> Tensor:
    return plain * (1 - ramp) + plain / factor * ramp


def _natural(factor: float) -> float:
    return 0.1 * math.log(factor) + 1 if factor > 1 else 1.0


def _yarn(
    borders: Callable[..., tuple[float, float]] = _usual,
    ramp: Callable[[int, float, float], Tensor] = _linear,
    blend: Callable[[Tensor, float, Tensor], Tensor] = _blend,
    scale: Callable[[float], float] = _natural,
) -> Callable[..., tuple[Tensor, float]]:
    """YaRN with one thing exchanged."""

    def answer(d_head, base, train_len, factor, beta_fast=32.0, beta_slow=1.0):
        plain = base ** (-torch.arange(0, d_head, 2) / d_head)
        low, high = borders(d_head, base, train_len, beta_fast, beta_slow)
        return blend(plain, factor, ramp(d_head, low, high)), scale(factor)

    return answer


def _not_rounded(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    low, high = _borders(d, base, length, fast, slow)
    return max(low, 0), min(high, d - 1)


def _not_clamped(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    low, high = _borders(d, base, length, fast, slow)
    return math.floor(low), math.ceil(high)


def _clamped_to_pairs(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    low, high = _usual(d, base, length, fast, slow)
    return low, min(high, d // 2 - 1)


def _rounded_wrongly(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    low, high = _borders(d, base, length, fast, slow)
    return max(math.ceil(low), 0), min(math.floor(high), d - 1)


def _without_two_pi(d: int, base: float, length: int, fast: float, slow: float) -> tuple[float, float]:
    return _usual(d, base, round(length * 2 * math.pi), fast, slow)


YARN_FREQUENCIES = Exercise(
    name="yarn_frequencies",
    points=2,
    reference=reference.yarn_frequencies,
    cases=(
        Case("Llama 2, 16 times", lambda draw: [128, 10000.0, 4096, 16.0], call=as_ratios, tol=1e-4),
        Case("a small model", lambda draw: [16, 10000.0, 64, 4.0], call=as_ratios, tol=1e-4),
        Case("many turns", lambda draw: [16, 100.0, 2048, 3.0], call=as_ratios, tol=1e-4),
        Case("other borders", lambda draw: [64, 50000.0, 8192, 8.0, 20.0, 2.0], call=as_ratios, tol=1e-4),
        Case("both borders the same", lambda draw: [16, 10000.0, 6, 4.0], call=as_ratios, tol=1e-4),
        Case("factor 1", lambda draw: [32, 10000.0, 512, 1.0], call=as_ratios, tol=1e-4),
        Case("factor below 1", lambda draw: [32, 10000.0, 512, 0.5], call=as_ratios, tol=1e-4),
    ),
    mistakes=(
        Mistake(
            "ramp_reversed",
            "your ramp is reversed: you keep the slow pairs and interpolate the fast ones. Which pairs have seen whole "
            "turns in training?",
            _yarn(ramp=lambda d, low, high: 1 - _linear(d, low, high)),
        ),
        Mistake(
            "all_interpolated",
            "you interpolate every frequency. Which pairs should stay as they are?",
            _yarn(ramp=lambda d, low, high: torch.ones(d // 2)),
        ),
        Mistake(
            "none_interpolated",
            "your frequencies are those of training. Which pairs must slow down?",
            _yarn(ramp=lambda d, low, high: torch.zeros(d // 2)),
        ),
        Mistake(
            "scale_without_log",
            "your attention scale grows with the factor itself. Which function of the factor stands in the formula?",
            _yarn(scale=lambda factor: 0.1 * factor + 1 if factor > 1 else 1.0),
        ),
        Mistake(
            "scale_log10",
            "your attention scale uses the logarithm to base 10. Which one is ln?",
            _yarn(scale=lambda factor: 0.1 * math.log10(factor) + 1 if factor > 1 else 1.0),
        ),
        Mistake(
            "scale_log2",
            "your attention scale uses the logarithm to base 2. Which one is ln?",
            _yarn(scale=lambda factor: 0.1 * math.log2(factor) + 1 if factor > 1 else 1.0),
        ),
        Mistake(
            "scale_one",
            "your attention scale is always 1. What should it be for a longer text?",
            _yarn(scale=lambda factor: 1.0),
        ),
        Mistake(
            "scale_below_one",
            "your attention scale falls below 1. What does the docstring say for a factor up to 1?",
            _yarn(scale=lambda factor: 0.1 * math.log(factor) + 1),
        ),
        Mistake(
            "not_rounded",
            "the borders of your ramp are not rounded. Which is floored, and which is ceiled?",
            _yarn(borders=_not_rounded),
        ),
        Mistake(
            "rounded_wrongly",
            "your ramp is too narrow. Is the low border rounded down or up?",
            _yarn(borders=_rounded_wrongly),
        ),
        Mistake(
            "not_clamped",
            "the borders of your ramp leave the range 0 … d_head − 1. Where are they clamped?",
            _yarn(borders=_not_clamped),
        ),
        Mistake(
            "clamped_to_pairs",
            "you clamp the upper border to the number of pairs. To which number does the docstring clamp it?",
            _yarn(borders=_clamped_to_pairs),
        ),
        Mistake(
            "hard_step",
            "you switch between kept and interpolated in one step. What lies between the two borders?",
            _yarn(ramp=lambda d, low, high: (_linear(d, low, high) >= 0.5).float()),
        ),
        Mistake(
            "wavelengths_blended",
            "you blend wavelengths. What does the ramp blend?",
            _yarn(blend=lambda plain, factor, ramp: plain / (1 - ramp + factor * ramp)),
        ),
        Mistake(
            "scaled_up",
            "your slow pairs turn faster. Are their frequencies multiplied or divided by the factor?",
            _yarn(blend=lambda plain, factor, ramp: plain * (1 - ramp) + plain * factor * ramp),
        ),
        Mistake(
            "without_two_pi",
            "your borders are off: one turn is how many radians?",
            _yarn(borders=_without_two_pi),
        ),
        Mistake(
            "wavelengths_returned",
            "your frequencies are inverted. Does a frequency grow or fall with the pair's number?",
            _yarn(blend=lambda plain, factor, ramp: 1 / _blend(plain, factor, ramp)),
        ),
        Mistake(
            "borders_ignored",
            "your ramp does not react to beta_fast and beta_slow. Are 32 and 1 written into the formula?",
            _yarn(borders=lambda d, base, length, fast, slow: _usual(d, base, length, 32.0, 1.0)),
        ),
    ),
)
