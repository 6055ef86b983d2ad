"""discretize."""

from __future__ import annotations

import torch

from ...models.mamba_moe import ssm as reference
from ..core.exercise import Case, Exercise, Mistake


def gradient_at_zero(answer, a, b, delta):
    """The values, and whether the gradient with respect to a is a finite number everywhere."""
    a = a.detach().clone().requires_grad_()
    a_bar, b_bar = answer(a, b, delta)
    (slope,) = torch.autograd.grad(a_bar.sum() + b_bar.sum(), a)
    return [a_bar, b_bar, bool(slope.isfinite().all())]


def _at_zero(a, b, delta):
    return [torch.ones_like(delta * b), delta * b, True]


def _hold(decay=None, drive=None, quotient=None):
    """A discretisation with other parts; `drive(b, z, delta)` gives b̄, else `quotient(z)` stands for
    (exp(z) − 1)/z."""

    def discretize(a, b, delta):
        z = delta * a
        a_bar = decay(z) if decay else torch.exp(z)
        if drive:
            return a_bar, drive(b, z, delta)
        return a_bar, delta * b * quotient(z)

    return discretize


def _phi(z):
    _, b_bar = reference.discretize(z, torch.ones_like(z), 1.0)
    return b_bar


DISCRETIZE = Exercise(
    name="discretize",
    points=1.5,
    reference=reference.discretize,
    forbid=(),
    cases=(
        Case(
            "values",
            lambda draw: [-draw.uniform(4, low=0.2, high=3.0), draw.normal(4), draw.uniform(2, 3, 1, low=0.1)],
            grad=True,
        ),
        Case("a number as step", lambda draw: [draw.normal(5), draw.normal(5), draw.integer(2, 9) / 10], grad=True),
        Case(
            "near a = 0",
            lambda draw: [torch.tensor([1e-13, -3e-12, 2e-11], dtype=torch.float64), draw.normal(3) + 3, 0.7],
            tol=1e-9,
        ),
        Case("a = 0", lambda draw: [torch.zeros(3, dtype=torch.float64), draw.normal(3), draw.uniform(2, 1, low=0.1)]),
        Case(
            "the gradient at a = 0",
            lambda draw: [torch.zeros(3, dtype=torch.float64), draw.normal(3), draw.uniform(2, 1, low=0.1)],
            _at_zero,
            call=gradient_at_zero,
        ),
        Case(
            "float32",
            lambda draw: [-draw.uniform(4, low=1e-6, high=2.0, dtype=torch.float32), *_small32(draw)],
        ),
    ),
    mistakes=(
        Mistake(
            "euler",
            "this is Euler's step, 1 + δa and δb: right only for small steps. What is the exact solution of h' "
            "= a h after "
            "the time δ?",
            _hold(decay=lambda z: 1 + z, drive=lambda b, z, delta: delta * b + 0 * z),
        ),
        Mistake(
            "short_hold_for_b",
            "ā is exact, but b̄ is δb, the short form of Mamba's code. What is the integral of exp(a s) from 0 to δ?",
            _hold(drive=lambda b, z, delta: delta * b + 0 * z),
        ),
        Mistake(
            "bilinear",
            "this is the bilinear rule, (1 + δa/2)/(1 − δa/2). Which function solves h' = a h exactly?",
            lambda a, b, delta: (
                (1 + delta * a / 2) / (1 - delta * a / 2),
                delta * b / (1 - delta * a / 2),
            ),
        ),
        Mistake(
            "sign_of_b",
            "b̄ has the wrong sign: for a < 0 both exp(δa) − 1 and a are negative. Which sign has their quotient?",
            _hold(quotient=lambda z: -_phi(z)),
        ),
        Mistake(
            "sign_of_a",
            "ā is exp(−δa): the state grows where it should decay. Which sign has a already?",
            lambda a, b, delta: (torch.exp(-delta * a), delta * b * _phi(delta * a)),
        ),
        Mistake(
            "signs_of_a_in_both",
            "both values belong to −a: the state grows where it should decay. Which sign has a already?",
            lambda a, b, delta: reference.discretize(-a, b, delta),
        ),
        Mistake("b_left_out", "b̄ does not depend on b. Where does b enter?", _hold(drive=lambda b, z, d: d * _phi(z))),
        Mistake(
            "not_divided_by_a",
            "b̄ is (exp(δa) − 1) b: the division by a is missing. What is the integral of exp(a s) from 0 to δ?",
            _hold(drive=lambda b, z, delta: torch.expm1(z) * b),
        ),
        Mistake(
            "divided_by_delta_a",
            "b̄ is too large by 1/δ: you divide by δa. What is the integral of exp(a s) from 0 to δ?",
            _hold(drive=lambda b, z, delta: _phi(z) * b),
        ),
        Mistake(
            "division_by_zero",
            "at a = 0 you divide 0 by 0. To what does (exp(δa) − 1)/a tend?",
            _hold(drive=lambda b, z, delta: delta * b * torch.expm1(z) / z),
        ),
        Mistake(
            "digits_lost",
            "near a = 0 the digits of exp(δa) − 1 are lost. Which torch function gives this difference without loss?",
            _hold(drive=lambda b, z, delta: delta * b * (torch.exp(z) - 1) / z),
        ),
        Mistake(
            "nan_in_the_gradient",
            "the value at a = 0 is right, but its gradient is NaN: the branch that `where` drops still divides by 0. "
            "What could be divided by instead, where a is 0?",
            _hold(drive=lambda b, z, delta: delta * b * torch.where(z == 0, 1.0, torch.expm1(z) / z)),
        ),
    ),
)


def _small32(draw):
    return [draw.normal(4, dtype=torch.float32), draw.uniform(3, 1, low=0.1, dtype=torch.float32)]
