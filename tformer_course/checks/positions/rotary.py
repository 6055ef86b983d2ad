"""rotary_tables and apply_rotary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ...models import positions as reference
from ..core.exercise import Case, Exercise, Mistake
from .sinusoids import TABLE


def _frequencies(d: int, base: float) -> Tensor:
    return base ** (-torch.arange(0, d, 2) / d)  # (d/2,)


def _halves(angles: Tensor) -> Tensor:
    return torch.cat((angles, angles), dim=-1)


def _tables(
    frequencies: Callable[[int, float], Tensor] = _frequencies,
    layout: Callable[[Tensor], Tensor] = _halves,
    first: int = 0,
    order: Callable[[Tensor, Tensor], Any] = lambda cos, sin: (cos, sin),
) -> Callable[..., Any]:
    """Rotary tables with one thing exchanged."""

    def answer(n: int, d_head: int, base: float = 10000.0) -> Any:
        angles = layout(torch.arange(first, first + n).unsqueeze(-1) * frequencies(d_head, base))
        return order(angles.cos(), angles.sin())

    return answer


ROTARY_TABLES = Exercise(
    name="rotary_tables",
    points=2,
    reference=reference.rotary_tables,
    cases=(
        Case("six positions", lambda draw: [6, 8], tol=TABLE),
        Case("one pair", lambda draw: [5, 2], tol=TABLE),
        Case("fresh sizes", lambda draw: [draw.integer(20, 60), 2 * draw.integer(3, 12)], tol=TABLE),
        Case("another base", lambda draw: [10, 8, 500.0], tol=TABLE),
    ),
    mistakes=(
        Mistake(
            "interleaved",
            "your columns repeat each angle twice in a row, the layout of the paper. Which columns form a pair in the "
            "half-split layout?",
            _tables(layout=lambda a: a.repeat_interleave(2, dim=-1)),
        ),
        Mistake(
            "exponent_half",
            "your frequencies fall too slowly: the exponent is i/d. Which exponent has pair i?",
            _tables(frequencies=lambda d, base: base ** (-torch.arange(d // 2) / d)),
        ),
        Mistake(
            "half_width",
            "your tables are d_head/2 wide. Both members of a pair need their angle: how wide is x?",
            _tables(layout=lambda a: a),
        ),
        Mistake(
            "swapped",
            "you return the sines first. What is the first row of cos?",
            _tables(order=lambda cos, sin: (sin, cos)),
        ),
        Mistake(
            "frequencies_inverted",
            "your pairs turn faster and faster. Is the position multiplied or divided by base to the power 2i/d?",
            _tables(frequencies=lambda d, base: base ** (torch.arange(0, d, 2) / d)),
        ),
        Mistake(
            "own_angle_per_column",
            "each of your columns has an angle of its own. How many different angles has one position?",
            _tables(frequencies=lambda d, base: base ** (-torch.arange(d) / d), layout=lambda a: a),
        ),
        Mistake(
            "one_frequency",
            "all your pairs turn at the same speed. Where does i enter?",
            _tables(frequencies=lambda d, base: torch.ones(d // 2)),
        ),
        Mistake(
            "second_half_mirrored",
            "your second half runs backwards. Which column is the partner of column 0?",
            _tables(layout=lambda a: torch.cat((a, a.flip(-1)), dim=-1)),
        ),
        Mistake(
            "positions_from_one",
            "your first row belongs to position 1. By which angle is position 0 turned?",
            _tables(first=1),
        ),
        Mistake(
            "base_ignored",
            "your tables do not react to base. Is 10000 written into the formula?",
            lambda n, d_head, base=10000.0: _tables()(n, d_head),
        ),
        Mistake(
            "angles_returned",
            "you return angles. What must still be taken of them?",
            lambda n, d_head, base=10000.0: (a := _halves(torch.arange(n)[:, None] * _frequencies(d_head, base)), a),
        ),
    ),
)


def with_angles(answer: Callable, x: Tensor, angles: Tensor) -> Tensor:
    """Calls apply_rotary with the tables of angles `(n, D/2)`, so that gradients are asked of the angles."""
    return answer(x, _halves(angles.cos()), _halves(angles.sin()))


def _apply(half_turn: Callable[[Tensor, Tensor], Tensor], sign: float = 1.0) -> Callable[..., Tensor]:
    """x·cos + half_turn(x)·sin, where half_turn gets the two halves."""
    return lambda x, cos, sin: x * cos + sign * half_turn(*x.chunk(2, dim=-1)) * sin


def _turn(a: Tensor, b: Tensor) -> Tensor:
    return torch.cat((-b, a), dim=-1)


def _neighbours(x: Tensor) -> Tensor:
    return torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)


def _interleaved_throughout(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = cos.shape[-1] // 2
    c, s = (t[..., :half].repeat_interleave(2, dim=-1) for t in (cos, sin))
    return x * c + _neighbours(x) * s


def _by_head(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    heads = x.shape[-3] if x.ndim > 2 else 1
    c, s = (t[:heads, None, :] if x.ndim > 2 else t for t in (cos, sin))
    return x * c + _turn(*x.chunk(2, dim=-1)) * s


APPLY_ROTARY = Exercise(
    name="apply_rotary",
    points=2,
    reference=reference.apply_rotary,
    cases=(
        Case("a few vectors", lambda draw: [draw.normal(3, 4), draw.normal(3, 2)], call=with_angles, grad=True),
        Case("heads", lambda draw: [draw.normal(2, 3, 7, 8), draw.normal(7, 4)], call=with_angles, grad=True),
        Case("as many heads as positions", lambda draw: [draw.normal(5, 5, 6), draw.normal(5, 3)], call=with_angles),
        Case(
            "float32",
            lambda draw: [draw.normal(2, 4, 6, dtype=torch.float32), draw.normal(4, 3, dtype=torch.float32)],
            call=with_angles,
        ),
    ),
    mistakes=(
        Mistake(
            "turned_backwards",
            "you turn the other way. Where does a quarter turn take (1, 0)?",
            _apply(_turn, sign=-1.0),
        ),
        Mistake(
            "neighbours_paired",
            "you pair neighbouring columns, but the tables are in the half-split layout. Which column is the partner "
            "of column 0?",
            lambda x, cos, sin: x * cos + _neighbours(x) * sin,
        ),
        Mistake(
            "interleaved_throughout",
            "you use the interleaved layout for x and for the tables. Which columns form a pair here?",
            _interleaved_throughout,
        ),
        Mistake(
            "no_minus",
            "your turn changes lengths: one of the two sines needs a minus. Which one?",
            _apply(lambda a, b: torch.cat((b, a), dim=-1)),
        ),
        Mistake(
            "halves_not_swapped",
            "the sine multiplies x itself. A turn mixes the two members of a pair: which one does the sine multiply?",
            _apply(lambda a, b: torch.cat((a, b), dim=-1)),
        ),
        Mistake(
            "minus_not_swapped",
            "the sine multiplies the same half instead of its partner. What does rotate-half swap?",
            _apply(lambda a, b: torch.cat((-a, b), dim=-1)),
        ),
        Mistake(
            "both_minus",
            "both sines have a minus in your turn. Which of the two keeps a plus?",
            _apply(lambda a, b: torch.cat((-b, -a), dim=-1)),
        ),
        Mistake(
            "cosine_and_sine_swapped",
            "your turn by 0 is not the identity. Does the cosine or the sine multiply x itself?",
            lambda x, cos, sin: x * sin + _turn(*x.chunk(2, dim=-1)) * cos,
        ),
        Mistake(
            "turned_by_head",
            "you turn by the number of the head. Which axis of x holds the positions?",
            _by_head,
        ),
        Mistake(
            "unchanged",
            "your vectors come back unchanged. By which angle does the pair at position p turn?",
            lambda x, cos, sin: x,
        ),
        Mistake(
            "cosine_only",
            "you only scale by the cosine. What does the other member of the pair add?",
            lambda x, cos, sin: x * cos,
        ),
        Mistake(
            "angle_detached",
            "no gradient reaches the tables. Do you detach them, or make them anew?",
            lambda x, cos, sin: x * cos.detach() + _turn(*x.chunk(2, dim=-1)) * sin.detach(),
        ),
    ),
)
