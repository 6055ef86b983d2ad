"""spring_bias, alibi_slopes and alibi_bias."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import positions as reference
from ..core.exercise import Case, Exercise, Mistake


def _offset(n: int) -> Tensor:
    """i − j as floats, `(n, n)`."""
    positions = torch.arange(n).float()
    return positions[:, None] - positions


def _spring(rule: Callable[[Tensor, float], Tensor]) -> Callable[..., Tensor]:
    return lambda n, stiffness: rule(_offset(n), stiffness)


SPRING_BIAS = Exercise(
    name="spring_bias",
    points=1,
    reference=reference.spring_bias,
    cases=(
        Case("five positions", lambda draw: [5, 0.3]),
        Case("one position", lambda draw: [1, 2.0]),
        Case("fresh sizes", lambda draw: [draw.integer(6, 20), float(draw.uniform(1, low=0.1, high=2.0))]),
        Case("a loose spring", lambda draw: [4, 0.0]),
    ),
    mistakes=(
        Mistake(
            "plus",
            "your bias grows with distance, so far tokens get the most weight. Which sign makes energy a penalty?",
            _spring(lambda x, k: 0.5 * k * x**2),
        ),
        Mistake(
            "linear",
            "your penalty grows like the distance itself. How does the energy of a spring grow?",
            _spring(lambda x, k: -0.5 * k * x.abs()),
        ),
        Mistake(
            "one_sided",
            "keys after the query get no penalty. A spring pulls from both sides: what is (i − j)² for j > i?",
            _spring(lambda x, k: -0.5 * k * x.clamp(min=0) ** 2),
        ),
        Mistake(
            "one_sided_keys",
            "keys before the query get no penalty. A spring pulls from both sides: what is (i − j)² for j < i?",
            _spring(lambda x, k: -0.5 * k * x.clamp(max=0) ** 2),
        ),
        Mistake(
            "causal",
            "you also hide the future. This bias is no mask: what does the formula give for j > i?",
            _spring(lambda x, k: (-0.5 * k * x**2).masked_fill(x < 0, -math.inf)),
        ),
        Mistake(
            "signed_square",
            "your bias has different signs on the two sides of the diagonal. What does squaring do to a sign?",
            _spring(lambda x, k: -0.5 * k * x * x.abs()),
        ),
        Mistake(
            "no_half",
            "your penalty is twice as large as it should be. What stands in front of k?",
            _spring(lambda x, k: -k * x**2),
        ),
        Mistake(
            "stiffness_inside",
            "you square the stiffness too. What exactly is squared?",
            _spring(lambda x, k: -0.5 * (k * x) ** 2),
        ),
        Mistake(
            "absolute_positions",
            "your penalty depends on the key's own position. Between which two positions is the spring stretched?",
            _spring(lambda x, k: (-0.5 * k * x[:1] ** 2).expand_as(x)),
        ),
        Mistake(
            "window_returned",
            "you return the Gaussian window itself. What is added to the scores, before the softmax takes exp?",
            _spring(lambda x, k: (-0.5 * k * x**2).exp()),
        ),
    ),
)


def _power_below(heads: int) -> int:
    return 2 ** (heads.bit_length() - 1)


def _slopes(heads: int, power: int | None = None) -> list[float]:
    """As in the paper's code, with its power of two exchanged where one is given."""
    power = power or _power_below(heads)
    slopes = [2.0 ** (-8.0 * (h + 1) / power) for h in range(min(power, heads))]
    return slopes + [2.0 ** (-4.0 * (2 * h + 1) / power) for h in range(heads - power)]


def _from_list(rule: Callable[[int], list[float]]) -> Callable[[int], Tensor]:
    return lambda num_heads: torch.tensor(rule(num_heads))


def _evenly(first: float, last: float, heads: int) -> list[float]:
    return torch.linspace(first, last, heads).tolist()


ALIBI_SLOPES = Exercise(
    name="alibi_slopes",
    points=2,
    reference=reference.alibi_slopes,
    cases=(
        Case("eight heads", lambda draw: [8]),
        Case("one head", lambda draw: [1]),
        Case("sixteen heads", lambda draw: [16]),
        Case("twelve heads", lambda draw: [12]),
        Case("six heads", lambda draw: [6]),
    ),
    mistakes=(
        Mistake(
            "reversed_order",
            "your flattest head comes first. Which exponent has the first head?",
            _from_list(lambda h: _slopes(h)[::-1]),
        ),
        Mistake(
            "arithmetic_series",
            "your slopes differ by a constant. In a geometric series, what is constant?",
            _from_list(lambda h: _evenly(2.0 ** (-8 / h), 2.0**-8, h)),
        ),
        Mistake(
            "arithmetic_shares",
            "your slopes are (h + 1)/H. The series is geometric: what is the quotient of two neighbours?",
            _from_list(lambda h: [(i + 1) / h for i in range(h)]),
        ),
        Mistake(
            "smooth_for_any_number",
            "for 12 heads you use 2^(−8(h + 1)/12). What does the paper's code do where H is not a power of two?",
            _from_list(lambda h: [2.0 ** (-8.0 * (i + 1) / h) for i in range(h)]),
        ),
        Mistake(
            "next_power_truncated",
            "for 12 heads you take the first 12 slopes of 16. With all slopes of which number of heads does the "
            "paper's code start?",
            _from_list(lambda h: _slopes(h, _power_below(2 * h - 1))[:h]),
        ),
        Mistake(
            "wrong_remaining",
            "your extra slopes repeat slopes that are there already. Which slopes of 2P heads lie between those of P?",
            _from_list(lambda h: (s := _slopes(_power_below(h))) + _slopes(2 * len(s))[1::2][: h - len(s)]),
        ),
        Mistake(
            "remaining_in_a_row",
            "your extra slopes are the first ones of 2P heads. Which of those does the series of P heads hold already?",
            _from_list(lambda h: (s := _slopes(_power_below(h))) + _slopes(2 * len(s))[: h - len(s)]),
        ),
        Mistake(
            "sorted_slopes",
            "you sort the slopes. Where does the paper's code put the extra ones?",
            _from_list(lambda h: sorted(_slopes(h), reverse=True)),
        ),
        Mistake(
            "starts_at_one",
            "your first slope is 1. Does the series start at the exponent 0, or one step further?",
            _from_list(lambda h: [2.0 ** (-8.0 * i / h) for i in range(h)]),
        ),
        Mistake(
            "ratio_one_half",
            "your quotient is ½ for every number of heads. Where does H enter the exponent?",
            _from_list(lambda h: [2.0 ** -(i + 1) for i in range(h)]),
        ),
        Mistake(
            "negative",
            "your slopes are negative. The minus sign stands in the bias: what is a slope here?",
            _from_list(lambda h: [-s for s in _slopes(h)]),
        ),
        Mistake(
            "positive_exponent",
            "your slopes grow beyond 1. Which sign has the exponent?",
            _from_list(lambda h: [1 / s for s in _slopes(h)]),
        ),
    ),
)


def _bias(
    rule: Callable[[Tensor, Tensor], Tensor], slopes: Callable[[int], list[float]] = _slopes
) -> Callable[..., Tensor]:
    """A bias from slopes `(H, 1, 1)` and i − j `(n, n)`."""
    return lambda num_heads, n: rule(torch.tensor(slopes(num_heads))[:, None, None], _offset(n))


def _hidden(bias: Tensor, offset: Tensor, fill: float = -math.inf) -> Tensor:
    return bias.masked_fill(offset < 0, fill)


ALIBI_BIAS = Exercise(
    name="alibi_bias",
    points=1,
    reference=reference.alibi_bias,
    cases=(
        Case("eight heads", lambda draw: [8, 5]),
        Case("one position", lambda draw: [2, 1]),
        Case("six heads", lambda draw: [6, 4]),
        Case("fresh length", lambda draw: [draw.choice([2, 4, 12]), draw.integer(5, 20)]),
    ),
    mistakes=(
        Mistake(
            "positive",
            "your bias rewards distance. Which sign makes it a penalty?",
            _bias(lambda s, x: _hidden(s * x, x)),
        ),
        Mistake(
            "reversed_order",
            "your first head is the flattest. In which order do the slopes come?",
            _bias(lambda s, x: _hidden(-s * x, x), slopes=lambda h: _slopes(h)[::-1]),
        ),
        Mistake(
            "arithmetic_series",
            "your slopes differ by a constant. In a geometric series, what is constant?",
            _bias(lambda s, x: _hidden(-s * x, x), slopes=lambda h: _evenly(2.0 ** (-8 / h), 2.0**-8, h)),
        ),
        Mistake(
            "arithmetic_shares",
            "your slopes are (h + 1)/H. The series is geometric: what is the quotient of two neighbours?",
            _bias(lambda s, x: _hidden(-s * x, x), slopes=lambda h: [(i + 1) / h for i in range(h)]),
        ),
        Mistake(
            "absolute_positions",
            "your penalty is slope·j, the key's own position. Between which two positions is the distance?",
            _bias(lambda s, x: _hidden(s * x[:1] + 0 * x, x)),
        ),
        Mistake(
            "bonus_by_position",
            "your bias is +slope·j. Softmax may not mind, but what does the docstring say?",
            _bias(lambda s, x: _hidden(-s * x[:1] + 0 * x, x)),
        ),
        Mistake(
            "future_open",
            "keys after the query get a finite bias. What hides them?",
            _bias(lambda s, x: -s * x.abs()),
        ),
        Mistake(
            "future_rewarded",
            "keys after the query get a positive bias. What hides them?",
            _bias(lambda s, x: -s * x),
        ),
        Mistake(
            "future_zero",
            "keys after the query get the bias 0, the best there is. What hides them?",
            _bias(lambda s, x: _hidden(-s * x, x, 0.0)),
        ),
        Mistake(
            "diagonal_hidden",
            "a position may not see itself in your bias. Is j = i allowed?",
            _bias(lambda s, x: (-s * x).masked_fill(x <= 0, -math.inf)),
        ),
        Mistake(
            "past_hidden",
            "you hide what comes before the query. Is j < i past or future?",
            _bias(lambda s, x: (s * x).masked_fill(x > 0, -math.inf)),
        ),
        Mistake(
            "large_number",
            "you use a large number where the exercise says −inf itself. Which value is safe for any score?",
            _bias(lambda s, x: _hidden(-s * x, x, -1e9)),
        ),
        Mistake(
            "smooth_for_any_number",
            "your slopes are off where the number of heads is not a power of two. What does the paper's code do then?",
            _bias(lambda s, x: _hidden(-s * x, x), slopes=lambda h: [2.0 ** (-8.0 * (i + 1) / h) for i in range(h)]),
        ),
        Mistake(
            "squared",
            "your penalty grows like the square. What does the Li in ALiBi stand for?",
            _bias(lambda s, x: _hidden(-s * x**2, x)),
        ),
        Mistake(
            "heads_last",
            "your head axis comes last. Scores are (B, H, T, S): where must H stand?",
            _bias(lambda s, x: _hidden(-s * x, x).permute(1, 2, 0)),
        ),
    ),
)
