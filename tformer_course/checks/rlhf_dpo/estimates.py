"""kl_estimates."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.rlhf_dpo import policy as reference
from ..core.exercise import Case, Exercise, Mistake


def _samples(draw, *shape, gap: float = 0.7, dtype=torch.float64):
    log_p = -draw.uniform(*shape, low=0.1, high=4.0)
    return [log_p.to(dtype), (log_p + draw.normal(*shape, scale=gap)).to(dtype)]


def _variant(
    k1: Callable[[Tensor], Tensor] = lambda d: d,
    k2: Callable[[Tensor], Tensor] = lambda d: d.square() / 2,
    k3: Callable[[Tensor], Tensor] = lambda d: (-d).exp() - 1 + d,
    difference: Callable[[Tensor, Tensor], Tensor] = lambda log_p, log_q: log_p - log_q,
) -> Callable:
    """Estimates by other formulas of log p − log q."""

    def kl_estimates(log_p, log_q):
        d = difference(log_p, log_q)
        return k1(d), k2(d), k3(d)

    return kl_estimates


def _right(log_p, log_q):
    return _variant()(log_p, log_q)


def _by_probabilities(log_p, log_q):
    k1, k2, _ = _right(log_p, log_q)
    return k1, k2, log_q.exp() / log_p.exp() - 1 + k1


KL_ESTIMATES = Exercise(
    name="kl_estimates",
    points=2,
    reference=reference.kl_estimates,
    cases=(
        Case("samples", lambda draw: _samples(draw, 4, 5), grad=True),
        Case(
            "k3 is never negative",
            lambda draw: _samples(draw, 200, gap=1e-4, dtype=torch.float32),
            _right,
            lambda value, log_p, log_q: bool(value[2].min() >= -1e-6) or "k3 is below zero",
        ),
        Case("long answers", lambda draw: [x - 900 for x in _samples(draw, 6)], grad=True),
        Case("float32", lambda draw: _samples(draw, 6, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "direction",
            "you estimate KL(q‖p): all three are turned round. The samples come from p: which logarithm comes first?",
            _variant(difference=lambda log_p, log_q: log_q - log_p),
        ),
        Mistake(
            "k1_direction",
            "k1 has the wrong sign: its mean is −KL. Which logarithm comes first?",
            _variant(k1=lambda d: -d),
        ),
        Mistake(
            "k3_direction",
            "k3 has p/q where q/p belongs: its mean under p is not KL(p‖q). Which of the two is divided?",
            _variant(k3=lambda d: d.exp() - 1 - d),
        ),
        Mistake(
            "k3_sign",
            "k3 has the wrong sign before the logarithm and becomes negative. Is log(q/p) the same as log p − log q?",
            _variant(k3=lambda d: (-d).exp() - 1 - d),
        ),
        Mistake(
            "k3_negated",
            "k3 is negative everywhere. Which sign makes it an estimate of a KL, which never is?",
            _variant(k3=lambda d: 1 - (-d).exp() - d),
        ),
        Mistake(
            "k3_no_one",
            "the −1 is missing in k3. What should it be where p and q are equal?",
            _variant(k3=lambda d: (-d).exp() + d),
        ),
        Mistake(
            "k3_log_missing",
            "k3 is q/p − 1 alone; its mean under p is 0. What is added to that?",
            _variant(k3=lambda d: (-d).exp() - 1),
        ),
        Mistake(
            "k2_whole",
            "k2 is the square itself. By what is it divided?",
            _variant(k2=lambda d: d.square()),
        ),
        Mistake(
            "k2_half",
            "k2 is k1 by 2. What is missing?",
            _variant(k2=lambda d: d / 2),
        ),
        Mistake(
            "k2_absolute",
            "k2 is the absolute value by 2. Which power makes k2 positive and smooth?",
            _variant(k2=lambda d: d.abs() / 2),
        ),
        Mistake(
            "weighted",
            "you multiply by p. The samples come from p already: how often would each be weighted?",
            lambda log_p, log_q: tuple(log_p.exp() * k for k in _right(log_p, log_q)),
        ),
        Mistake(
            "means",
            "you return means. What does elementwise mean?",
            lambda log_p, log_q: tuple(k.mean() for k in _right(log_p, log_q)),
        ),
        Mistake(
            "probabilities",
            "you subtract probabilities. Of what is the difference taken?",
            _variant(difference=lambda log_p, log_q: log_p.exp() - log_q.exp()),
        ),
        Mistake(
            "order",
            "k2 and k3 are exchanged. In which order are they returned?",
            lambda log_p, log_q: tuple(_right(log_p, log_q)[i] for i in (0, 2, 1)),
        ),
        Mistake(
            "ratio_constant",
            "the values are right, but no gradient flows through the ratio in k3. What is detached there?",
            _variant(k3=lambda d: (-d.detach()).exp() - 1 + d),
        ),
        Mistake(
            "detached",
            "the values are right, but no gradient flows. Estimates are also used as losses: what cuts the graph?",
            lambda log_p, log_q: _right(log_p.detach(), log_q.detach()),
        ),
        Mistake(
            "q_constant",
            "the values are right, but log q receives no gradient. What is detached there?",
            lambda log_p, log_q: _right(log_p, log_q.detach()),
        ),
        Mistake(
            "zero_by_zero",
            "exp(−900) is 0, and 0/0 is NaN. Can q/p be had from d alone?",
            _by_probabilities,
        ),
    ),
)
