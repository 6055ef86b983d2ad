"""feed_forward, swiglu and swiglu_hidden."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.block import parts as reference
from ..core.exercise import Case, Exercise, Mistake


def _forward(act: Callable = F.gelu, first_bias: bool = True, last_bias: bool = True, after: bool = False) -> Callable:
    def feed_forward(x, w_in, b_in, w_out, b_out):
        h = x @ w_in + (b_in if first_bias else 0)
        y = (h if after else act(h)) @ w_out + (b_out if last_bias else 0)
        return act(y) if after else y

    return feed_forward


def _weights(draw, width: int, hidden: int, dtype=torch.float64) -> list[Tensor]:
    shapes = ((width, hidden), (hidden,), (hidden, width), (width,))
    return [draw.normal(*shape, dtype=dtype) for shape in shapes]


FEED_FORWARD = Exercise(
    name="feed_forward",
    points=1,
    reference=reference.feed_forward,
    cases=(
        Case("values", lambda draw: [draw.normal(2, 5, 4), *_weights(draw, 4, 7)], grad=True),
        Case("strided input", lambda draw: [draw.normal(2, 4, 5).transpose(1, 2), *_weights(draw, 4, 9)]),
        Case("one vector", lambda draw: [draw.normal(3), *_weights(draw, 3, 8)]),
        Case(
            "float32",
            lambda draw: [draw.normal(2, 5, 4, dtype=torch.float32), *_weights(draw, 4, 7, torch.float32)],
        ),
    ),
    mistakes=(
        Mistake(
            "tanh_gelu",
            "your GELU is the tanh approximation: close, but not equal. Which argument of F.gelu decides?",
            _forward(lambda h: F.gelu(h, approximate="tanh")),
        ),
        Mistake(
            "sigmoid_gelu",
            "your GELU is the approximation h · sigmoid(1.702 h). Which function of the normal distribution does the "
            "exact one use?",
            _forward(lambda h: h * torch.sigmoid(1.702 * h)),
        ),
        Mistake(
            "relu", "your activation is ReLU, as in 2017. Which one does the docstring ask for?", _forward(torch.relu)
        ),
        Mistake(
            "silu",
            "your activation is SiLU, h · sigmoid(h). Which one does the docstring ask for?",
            _forward(F.silu),
        ),
        Mistake(
            "no_activation",
            "your network is linear: two matrices in a row are one matrix. What stands between them?",
            _forward(lambda h: h),
        ),
        Mistake(
            "activation_last",
            "your activation comes after the second matrix. Which of the two widths should it see?",
            _forward(after=True),
        ),
        Mistake("no_first_bias", "b_in changes nothing in your result. Where is it added?", _forward(first_bias=False)),
        Mistake("no_last_bias", "b_out changes nothing in your result. Where is it added?", _forward(last_bias=False)),
        Mistake(
            "bias_after_activation",
            "you add b_in after the activation. Should the bias be able to move the point where a unit opens?",
            lambda x, w_in, b_in, w_out, b_out: (F.gelu(x @ w_in) + b_in) @ w_out + b_out,
        ),
        Mistake(
            "residual_inside",
            "you add x to the result. Who adds a branch to the stream: the branch or the block?",
            lambda x, *weights: x + _forward()(x, *weights),
        ),
    ),
)


def _gated(act: Callable = F.silu, swapped: bool = False) -> Callable:
    def swiglu(x, w_gate, w_up, w_down):
        gate, up = (x @ w_up, x @ w_gate) if swapped else (x @ w_gate, x @ w_up)
        return (act(gate) * up) @ w_down

    return swiglu


def _three(draw, width: int, hidden: int, dtype=torch.float64) -> list[Tensor]:
    return [draw.normal(*shape, dtype=dtype) for shape in ((width, hidden), (width, hidden), (hidden, width))]


SWIGLU = Exercise(
    name="swiglu",
    points=1,
    reference=reference.swiglu,
    cases=(
        Case("values", lambda draw: [draw.normal(2, 5, 4), *_three(draw, 4, 6)], grad=True),
        Case("strided input", lambda draw: [draw.normal(2, 4, 5).transpose(1, 2), *_three(draw, 4, 7)], grad=True),
        Case("one vector", lambda draw: [draw.normal(3), *_three(draw, 3, 8)]),
        Case("large entries", lambda draw: [draw.normal(2, 3, scale=300.0), *_three(draw, 3, 5)]),
        Case("float32", lambda draw: [draw.normal(2, 4, dtype=torch.float32), *_three(draw, 4, 7, torch.float32)]),
    ),
    mistakes=(
        Mistake(
            "sigmoid_gate",
            "your gate is sigmoid(x W_gate): that is GLU of 2017. By what does SiLU multiply the sigmoid?",
            _gated(torch.sigmoid),
        ),
        Mistake(
            "gate_and_up_swapped",
            "SiLU is applied to x W_up in your code. Which of the two products goes through SiLU?",
            _gated(swapped=True),
        ),
        Mistake(
            "sigmoid_gate_swapped",
            "your gate is a sigmoid, and of the wrong product. What goes through SiLU, and what is SiLU?",
            _gated(torch.sigmoid, swapped=True),
        ),
        Mistake("gelu_gate", "your gate is GELU: that is GEGLU. Which activation has the name Swish?", _gated(F.gelu)),
        Mistake("relu_gate", "your gate is ReLU: that is ReGLU. Which activation has the name Swish?", _gated(F.relu)),
        Mistake(
            "bilinear",
            "no activation is left: your result is bilinear in x. Which factor goes through SiLU?",
            _gated(lambda g: g),
        ),
        Mistake(
            "activation_on_both",
            "both factors go through SiLU in your code. Which of the two stays linear?",
            lambda x, w_gate, w_up, w_down: (F.silu(x @ w_gate) * F.silu(x @ w_up)) @ w_down,
        ),
        Mistake(
            "activation_on_the_product",
            "you apply SiLU to the product of gate and up. Which of the two goes through it, before that product?",
            lambda x, w_gate, w_up, w_down: F.silu((x @ w_gate) * (x @ w_up)) @ w_down,
        ),
        Mistake(
            "added",
            "you add gate and up. What does a gate do with what it lets through?",
            lambda x, w_gate, w_up, w_down: (F.silu(x @ w_gate) + x @ w_up) @ w_down,
        ),
    ),
)


def _rounded(width: Callable[[int], float], to: Callable[[float], int] = math.ceil) -> Callable:
    return lambda d_model, multiple_of=1: to(math.ceil(width(d_model)) / multiple_of) * multiple_of


SWIGLU_HIDDEN = Exercise(
    name="swiglu_hidden",
    points=0.5,
    reference=reference.swiglu_hidden,
    cases=(
        Case("1024", lambda draw: [1024]),
        Case("a width that 3 divides", lambda draw: [768]),
        Case("fresh width", lambda draw: [3 * draw.integer(100, 300) + 2]),
        Case("1024 in steps of 256", lambda draw: [1024, 256]),
        Case("1024 in steps of 512", lambda draw: [1024, 512]),
        Case("4096 in steps of 256", lambda draw: [4096, 256], expected=lambda d, m: 11008),
        Case("fresh step", lambda draw: [draw.integer(300, 2000), draw.choice((64, 96, 128))]),
    ),
    mistakes=(
        Mistake(
            "four_d",
            "you keep 4d, so three matrices cost half as much again. At which width do 3·d·h parameters equal 8·d²?",
            _rounded(lambda d: 4 * d),
        ),
        Mistake(
            "rounded_to_nearest",
            "you round 8d/3 to the nearest number, which can be below it. To which side is it rounded?",
            lambda d_model, multiple_of=1: -(-round(8 * d_model / 3) // multiple_of) * multiple_of,
        ),
        Mistake(
            "rounded_down",
            "you round 8d/3 down, and the network is a little too small. In which direction does // round?",
            lambda d_model, multiple_of=1: -(-(8 * d_model // 3) // multiple_of) * multiple_of,
        ),
        Mistake(
            "not_rounded",
            "your width is 8d/3 as it comes, and no matrix has a fraction of a column. To which side is it rounded?",
            lambda d_model, multiple_of=1: 8 * d_model / 3,
        ),
        Mistake(
            "multiple_rounded_to_nearest",
            "you round to the nearest multiple. Which direction never makes the network too small?",
            _rounded(lambda d: 8 * d / 3, to=round),
        ),
        Mistake(
            "multiple_rounded_down",
            "you round down to the multiple. In which direction does the docstring round?",
            lambda d_model, multiple_of=1: max(1, -(-8 * d_model // 3) // multiple_of) * multiple_of,
        ),
        Mistake(
            "multiple_ignored",
            "multiple_of changes nothing in your result. Which step comes after 8d/3?",
            lambda d_model, multiple_of=1: -(-8 * d_model // 3),
        ),
        Mistake(
            "a_multiple_too_far",
            "you add a multiple even where none is needed. What should happen to a width that is a multiple already?",
            lambda d_model, multiple_of=1: (-(-8 * d_model // 3) // multiple_of + 1) * multiple_of,
        ),
        Mistake(
            "two_thirds_of_d",
            "your width is 2d/3. Two thirds of which width: that of x, or that of a GELU block's hidden layer?",
            _rounded(lambda d: 2 * d / 3),
        ),
    ),
)
