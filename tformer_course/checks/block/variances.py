"""forward_variances."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models.block import signal as reference
from ..core.exercise import Case, Exercise, Mistake


def _stack_of(
    report: Callable[[Tensor], Tensor] = torch.var,
    scale: Callable[[float], float] = lambda std: std,
    samples: int = 1024,
    after: bool = True,
    fresh: bool = True,
    feeds: bool = True,
    seeded: bool = True,
    bias: float = 0.0,
    uniform: bool = False,
) -> Callable:
    def forward_variances(depth, width, std, activation, generator=None):
        source = generator if seeded else None
        draw = torch.rand if uniform else torch.randn
        x = h = draw(samples, width, generator=source)
        found, weight = [], None
        for _ in range(depth):
            if weight is None or fresh:
                weight = torch.randn(width, width, generator=source) * scale(std)
            before = (h if feeds else x) @ weight + bias * torch.randn(width, generator=source)
            h = activation(before)
            found.append(float(report(h if after else before)))
        return found

    return forward_variances


ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh, "none": lambda h: h, "doubled": lambda h: 2 * h}


def _measured(answer, kind, depth, width, std, seed):
    return [float(v) for v in answer(depth, width, std, ACTIVATIONS[kind], torch.Generator().manual_seed(seed))]


def _facts(answer, seed):
    """What is certain in spite of the random draws."""
    sizes = []

    def watch(h):
        sizes.append(h.numel())
        return h

    def run(own_seed):
        return [float(v) for v in answer(4, 1, 1.0, watch, torch.Generator().manual_seed(own_seed))]

    found, again, other = run(seed), run(seed), run(seed + 1)
    ratios = [b / a for a, b in zip(found[:-1], found[1:], strict=True)]  # with one unit: the square of each weight
    return {
        "numbers": len(found),
        "entries per layer": sizes[0],
        "layers have different weights": max(ratios) - min(ratios) > 1e-6 * max(ratios),
        "equal seeds give equal numbers": found == again,
        "another seed gives others": found != other,
        "all zero for std = 0": all(float(v) == 0 for v in answer(2, 5, 0.0, watch, None)),
    }


FORWARD_VARIANCES = Exercise(
    name="forward_variances",
    points=1,
    reference=reference.forward_variances,
    cases=(
        # 1024 samples of width 256: the variance of one layer is within 12 % but for one run in 10⁹.
        Case(
            "no activation",
            lambda draw: ["none", 3, 256, 0.125, draw.integer(0, 2**31)],
            lambda *a: [4.0, 16.0, 64.0],
            call=_measured,
            tol=0.2,
        ),
        Case(
            "ReLU after He",
            lambda draw: ["relu", 2, 256, math.sqrt(2 / 256), draw.integer(0, 2**31)],
            lambda *a: [1 - 1 / math.pi] * 2,
            call=_measured,
            tol=0.14,
        ),
        Case(
            "doubled",
            lambda draw: ["doubled", 2, 256, 1 / 16, draw.integer(0, 2**31)],
            lambda *a: [4.0, 16.0],
            call=_measured,
            tol=0.2,
        ),
        Case(
            "certain facts",
            lambda draw: [draw.integer(0, 2**31)],
            lambda seed: {
                "numbers": 4,
                "entries per layer": 1024,
                "layers have different weights": True,
                "equal seeds give equal numbers": True,
                "another seed gives others": True,
                "all zero for std = 0": True,
            },
            call=_facts,
        ),
    ),
    mistakes=(
        Mistake(
            "mean_square",
            "you return the mean square. ReLU's outputs have a mean: what does the variance subtract?",
            _stack_of(report=lambda h: h.square().mean()),
        ),
        Mistake(
            "standard_deviation",
            "you return standard deviations. How is the variance made from them?",
            _stack_of(report=torch.std),
        ),
        Mistake(
            "std_squared",
            "your weights have the standard deviation std². Is std the variance or its root?",
            _stack_of(scale=lambda std: std**2),
        ),
        Mistake(
            "std_as_variance",
            "your weights have the standard deviation √std. Is std the variance or its root?",
            _stack_of(scale=math.sqrt),
        ),
        Mistake(
            "before_activation",
            "you measure before the activation. What does the next layer see?",
            _stack_of(after=False),
        ),
        Mistake(
            "layers_not_stacked",
            "each of your layers sees the first input. What should a layer read?",
            _stack_of(feeds=False),
        ),
        Mistake(
            "uniform_input",
            "your input is drawn from 0 to 1. Which function of torch draws standard normal numbers?",
            _stack_of(uniform=True),
        ),
        Mistake(
            "same_weights",
            "all your layers share one weight matrix. Where must it be drawn?",
            _stack_of(fresh=False),
        ),
        Mistake(
            "generator_not_used",
            "two calls with equal generators give different numbers. Do all draws take the generator?",
            _stack_of(seeded=False),
        ),
        Mistake(
            "wrong_batch",
            "your batch does not have 1024 samples. What does the docstring say about the input?",
            _stack_of(samples=512),
        ),
        Mistake(
            "bias_added",
            "with std = 0 your variances are not 0: something besides the weights is added. Has your layer a bias?",
            _stack_of(bias=0.05),
        ),
    ),
)
