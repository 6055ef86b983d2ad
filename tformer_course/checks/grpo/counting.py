"""pass_at_k."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...models.grpo import rewards as reference
from ..core.exercise import Case, Exercise, Mistake


def table(answer: Callable, triples: list) -> list[float]:
    """pass@k of each (n, c, k)."""
    return [float(answer(*triple)) for triple in triples]


def refused(answer: Callable, triples: list) -> list[str]:
    """What each (n, c, k) is answered with, where a ValueError is due."""
    said = []
    for triple in triples:
        try:
            answer(*triple)
            said.append("a number")
        except ValueError:
            said.append("ValueError")
        except (ArithmeticError, AssertionError, LookupError, TypeError) as error:
            said.append(type(error).__name__)
    return said


def all_refused(said: list[str], triples: list) -> bool | str:
    """True, or what the first (n, c, k) does in place of a ValueError."""
    for found, (n, _, k) in zip(said, triples, strict=True):
        if found != "ValueError":
            did = "gives a number" if found == "a number" else f"stops with {found}"
            return f"{'k > n' if k > n else 'c > n'} must raise ValueError; it {did}"
    return True


def triples(draw, low: int, high: int) -> list:
    found = []
    for _ in range(8):
        n = draw.integer(low, high)
        found.append([n, draw.integer(1, n - 1), draw.integer(2, n - 1)])
    return [*found, [high, 0, 3], [high, high, 2], [low, 1, low]]


def _with_replacement(n, c, k):
    if k > n or c > n:
        raise ValueError
    return 1 - (1 - c / n) ** k


def _factorials(n, c, k):
    """Floats all along: overflows from n = 171 on."""
    if k > n or c > n:
        raise ValueError
    if n - c < k:
        return 1.0
    f = [1.0]
    for i in range(1, n + 1):
        f.append(f[-1] * i)
    ratio = (f[n - c] * f[n - k]) / (f[n - c - k] * f[n])
    return 1.0 - ratio


def _no_error(n, c, k):
    return 1.0 if n - c < k else 1 - math.comb(n - c, k) / math.comb(n, k) if k <= n else 1.0


def _unguarded(n, c, k):
    return 1 - math.comb(n - c, k) / math.comb(n, k)


def _all_of_them(n, c, k):
    if k > n or c > n:
        raise ValueError
    return math.comb(c, k) / math.comb(n, k)


def _exactly_one(n, c, k):
    if k > n or c > n:
        raise ValueError
    return c * math.comb(n - c, k - 1) / math.comb(n, k)


def _complement(n, c, k):
    if k > n or c > n:
        raise ValueError
    return math.comb(n - c, k) / math.comb(n, k)


def _share(n, c, k):
    if k > n or c > n:
        raise ValueError
    return c / n


def _times_k(n, c, k):
    if k > n or c > n:
        raise ValueError
    return min(1.0, k * c / n)


def _swapped(n, c, k):
    if k > n or c > n:
        raise ValueError
    return 1 - math.comb(n - k, k) / math.comb(n, k)


PASS_AT_K = Exercise(
    name="pass_at_k",
    points=2,
    reference=reference.pass_at_k,
    cases=(
        Case("small numbers", lambda draw: [triples(draw, 4, 12)], call=table),
        Case(
            "too many asked for",
            lambda draw: [[[5, 2, 6], [5, 6, 2]]],
            holds=all_refused,
            call=refused,
        ),
        Case("a thousand samples", lambda draw: [triples(draw, 900, 1000)], call=table),
    ),
    mistakes=(
        Mistake(
            "with_replacement",
            "1 − (1 − c/n)^k draws with replacement and is biased. How many ways are there to choose k of n samples?",
            _with_replacement,
        ),
        Mistake(
            "overflow",
            "it fails at n = 1000: factorials leave the range of floats. What keeps the numbers whole, or small?",
            _factorials,
        ),
        Mistake("no_error", "k > n or c > n gives a number. Which exception is asked for?", _no_error),
        Mistake("divides_by_zero", "for k > n it stops with ZeroDivisionError. Which error is asked for?", _unguarded),
        Mistake("all_right", "you give the chance that all k are right. How many right ones are enough?", _all_of_them),
        Mistake("exactly_one", "you give the chance of exactly one right sample. What else counts?", _exactly_one),
        Mistake("none_right", "you give the chance that none is right. What is asked for?", _complement),
        Mistake("share", "you give c / n whatever k is. What changes when one may draw more often?", _share),
        Mistake("times_k", "k · c / n counts draws with two right ones twice. How are they counted once?", _times_k),
        Mistake("k_for_c", "one of your binomials holds k in place of c. How many samples are wrong?", _swapped),
    ),
)
