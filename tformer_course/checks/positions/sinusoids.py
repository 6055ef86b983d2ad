"""sinusoidal_encoding and shift_matrix."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models import positions as reference
from ..core.exercise import Case, Exercise, Mistake

TABLE = 1e-4  # float32 angles up to 60 radians


def _frequencies(d: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, d, 2) / d)  # (d/2,)


def _interleaved(even: Tensor, odd: Tensor) -> Tensor:
    return torch.stack((even, odd), dim=-1).flatten(-2)


def _encoding(
    frequencies: Callable[[int, float], Tensor] = _frequencies,
    layout: Callable[[Tensor, Tensor], Tensor] = _interleaved,
    first: int = 0,
) -> Callable[..., Tensor]:
    """A sinusoidal encoding with one thing exchanged; layout gets sines and cosines."""

    def answer(n: int, d: int, base: float = 10000.0) -> Tensor:
        angles = torch.arange(first, first + n).unsqueeze(-1) * frequencies(d, base)
        return layout(angles.sin(), angles.cos())

    return answer


def _cosine_ahead(n: int, d: int, base: float = 10000.0) -> Tensor:
    even, positions = torch.arange(0, d, 2), torch.arange(n)[:, None]
    return _interleaved((positions * base ** (-even / d)).sin(), (positions * base ** (-(even + 2) / d)).cos())


def _cosine_shifted(n: int, d: int, base: float = 10000.0) -> Tensor:
    positions, even = torch.arange(n).unsqueeze(-1), torch.arange(0, d, 2)
    return _interleaved((positions * base ** (-even / d)).sin(), (positions * base ** (-(even + 1) / d)).cos())


def _column_for_pair(n: int, d: int, base: float = 10000.0) -> Tensor:
    columns = torch.arange(d)
    angles = torch.arange(n).unsqueeze(-1) * base ** (-2.0 * columns / d)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


SINUSOIDAL_ENCODING = Exercise(
    name="sinusoidal_encoding",
    points=2,
    reference=reference.sinusoidal_encoding,
    cases=(
        Case("four positions", lambda draw: [4, 6], tol=TABLE),
        Case("one position", lambda draw: [1, 4], tol=TABLE),
        Case("fresh sizes", lambda draw: [draw.integer(20, 60), 2 * draw.integer(4, 12)], tol=TABLE),
        Case("another base", lambda draw: [12, 8, 100.0], tol=TABLE),
    ),
    mistakes=(
        Mistake(
            "exponent_half",
            "your frequencies fall too slowly: the exponent is i/d. The pair i stands in columns 2i and 2i + 1: which "
            "of these numbers belongs into the exponent?",
            _encoding(frequencies=lambda d, base: base ** (-torch.arange(d // 2) / d)),
        ),
        Mistake(
            "halves_concatenated",
            "your sines fill the first half and your cosines the second. Which columns does the formula give them?",
            _encoding(layout=lambda sin, cos: torch.cat((sin, cos), dim=-1)),
        ),
        Mistake(
            "cosine_shifted",
            "your cosine has another frequency than its sine: its exponent is (2i + 1)/d. Do the two hands of one "
            "clock turn at one speed?",
            _cosine_shifted,
        ),
        Mistake(
            "cosine_of_the_next_pair",
            "your cosine has the frequency of the next pair. Do the two hands of one clock turn alike?",
            _cosine_ahead,
        ),
        Mistake(
            "column_for_pair",
            "you use the column number as the number i of the pair. How many different frequencies are there for d "
            "columns?",
            _column_for_pair,
        ),
        Mistake(
            "sine_and_cosine_swapped",
            "your even columns hold the cosine. What is the row of position 0?",
            _encoding(layout=lambda sin, cos: _interleaved(cos, sin)),
        ),
        Mistake(
            "frequencies_inverted",
            "your pairs turn faster and faster. Is the position multiplied or divided by base to the power 2i/d?",
            _encoding(frequencies=lambda d, base: base ** (torch.arange(0, d, 2) / d)),
        ),
        Mistake(
            "positions_from_one",
            "your first row belongs to position 1. At which number do positions start?",
            _encoding(first=1),
        ),
        Mistake(
            "last_frequency_reached",
            "your slowest frequency is exactly 1/base: you spread the exponents from 0 to 1. What is 2i/d for the last "
            "pair?",
            _encoding(frequencies=lambda d, base: base ** -torch.linspace(0, 1, d // 2)),
        ),
        Mistake(
            "base_ignored",
            "your table does not react to base. Is 10000 written into the formula?",
            lambda n, d, base=10000.0: _encoding()(n, d),
        ),
        Mistake(
            "sines_only",
            "both columns of a pair hold the sine. Which angle gives sin 0 and which sin π?",
            _encoding(layout=lambda sin, cos: _interleaved(sin, sin)),
        ),
        Mistake(
            "cosines_missing",
            "your odd columns are 0. What does the second column of a pair hold?",
            _encoding(layout=lambda sin, cos: _interleaved(sin, 0 * cos)),
        ),
        Mistake(
            "transposed",
            "your table has its positions along the columns. What is one row?",
            _encoding(layout=lambda sin, cos: _interleaved(sin, cos).T),
        ),
    ),
)


def _shift(
    block: Callable[[Tensor, Tensor], list[list[Tensor]]], frequencies: Callable[[int, float], Tensor] = _frequencies
) -> Callable[..., Tensor]:
    """A shift matrix from 2×2 blocks that are made of the cosines and sines of all pairs."""

    def answer(offset: int, d: int, base: float = 10000.0) -> Tensor:
        angles = offset * frequencies(d, base)
        rows = torch.stack([torch.stack(row, -1) for row in block(angles.cos(), angles.sin())], dim=-2)
        return torch.block_diag(*rows)

    return answer


def _turn(cos: Tensor, sin: Tensor) -> list[list[Tensor]]:
    return [[cos, sin], [-sin, cos]]


def _half_layout(offset: int, d: int, base: float = 10000.0) -> Tensor:
    angles = offset * _frequencies(d, base)
    cos, sin = angles.cos().diag(), angles.sin().diag()
    return torch.cat((torch.cat((cos, sin), 1), torch.cat((-sin, cos), 1)), 0)


SHIFT_MATRIX = Exercise(
    name="shift_matrix",
    points=2,
    reference=reference.shift_matrix,
    cases=(
        Case("one step", lambda draw: [1, 4], tol=TABLE),
        Case("a step back", lambda draw: [-3, 6], tol=TABLE),
        Case("no step", lambda draw: [0, 6], tol=TABLE),
        Case("fresh sizes", lambda draw: [draw.integer(2, 20), 2 * draw.integer(3, 8)], tol=TABLE),
        Case("another base", lambda draw: [5, 8, 100.0], tol=TABLE),
    ),
    mistakes=(
        Mistake(
            "offset_size_only",
            "a step back gives the same matrix as a step forward. What happens to the sign of the offset?",
            lambda offset, d, base=10000.0: _shift(_turn)(abs(offset), d, base),
        ),
        Mistake(
            "transpose",
            "your matrix moves the other way: it is the transpose. Which sign does sin(a + b) give to sin b·cos a?",
            _shift(lambda cos, sin: [[cos, -sin], [sin, cos]]),
        ),
        Mistake(
            "one_frequency",
            "all your blocks turn by the same angle. Which frequency has pair i?",
            _shift(_turn, frequencies=lambda d, base: torch.ones(d // 2)),
        ),
        Mistake(
            "half_layout",
            "your matrix pairs column i with column i + d/2. Where do sine and cosine of one pair stand here?",
            _half_layout,
        ),
        Mistake(
            "real_part_only",
            "your matrix only scales each entry by a cosine. A turned sine needs its cosine too: which are the other "
            "two entries of a block?",
            _shift(lambda cos, sin: [[cos, 0 * sin], [0 * sin, cos]]),
        ),
        Mistake(
            "no_minus",
            "your blocks are no rotations: both entries beside the diagonal have the same sign. What does cos(a + b) "
            "give?",
            _shift(lambda cos, sin: [[cos, sin], [sin, cos]]),
        ),
        Mistake(
            "sine_and_cosine_swapped",
            "your matrix for offset 0 is not the identity. Does the cosine or the sine stand on the diagonal?",
            _shift(lambda cos, sin: [[sin, cos], [-cos, sin]]),
        ),
        Mistake(
            "exponent_half",
            "your angles belong to the exponent i/d. Which exponent does the encoding have?",
            _shift(_turn, frequencies=lambda d, base: base ** (-torch.arange(d // 2) / d)),
        ),
        Mistake(
            "frequencies_inverted",
            "your angles are divided by the frequency. How far does pair i turn in `offset` steps?",
            _shift(_turn, frequencies=lambda d, base: base ** (torch.arange(0, d, 2) / d)),
        ),
        Mistake(
            "base_ignored",
            "your matrix does not react to base. Is 10000 written into the formula?",
            lambda offset, d, base=10000.0: _shift(_turn)(offset, d),
        ),
        Mistake(
            "one_step_always",
            "your matrix always moves by one step. How far does pair i turn in `offset` steps?",
            lambda offset, d, base=10000.0: _shift(_turn)(1, d, base),
        ),
    ),
)
