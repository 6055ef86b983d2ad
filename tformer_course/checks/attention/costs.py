"""layer_cost and crossover_length."""

from __future__ import annotations

import math

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _cost(**changes):
    """The right table with some entries replaced: `rnn_flops=lambda n, d, kernel: …`."""

    def layer_cost(kind, n, d, kernel=3):
        if kind not in ("rnn", "cnn", "attention"):
            raise ValueError(kind)
        right = {
            "rnn": (4 * n * d * d, n, n - 1),
            "cnn": (2 * kernel * n * d * d, 1, math.ceil(2 * (n - 1) / (kernel - 1))),
            "attention": (4 * n * n * d, 1, 1),
        }[kind]
        cost = dict(zip(("flops", "sequential_steps", "path_length"), right, strict=True))
        return {key: changes.get(f"{kind}_{key}", lambda *_, v=value: v)(n, d, kernel) for key, value in cost.items()}

    return layer_cost


def _no_error(kind, n, d, kernel=3):
    return _cost()(kind if kind in ("rnn", "cnn") else "attention", n, d, kernel)


def _refuses(answer, kind, n, d):
    try:
        answer(kind, n, d)
    except ValueError:
        return "a ValueError"
    return "no error"


LAYER_COST = Exercise(
    name="layer_cost",
    points=2,
    reference=reference.layer_cost,
    cases=(
        Case("rnn", lambda draw: ["rnn", 12, 5]),
        Case("attention", lambda draw: ["attention", 12, 5]),
        # 2·29/4 = 14.5: rounding up and down differ, and differ from logarithms and from n/kernel.
        Case("cnn", lambda draw: ["cnn", 30, 8, 5]),
        # With the kernel left out, 3, a path counted from n and not from n − 1 always shows.
        Case("cnn of 3", lambda draw: ["cnn", draw.integer(20, 40), 7]),
        Case("long cnn", lambda draw: ["cnn", draw.integer(50, 99) * 2, 6, 7]),
        Case(
            "another kind",
            lambda draw: ["mlp", 12, 5],
            holds=lambda value, *_: value == "a ValueError" or "a kind that does not exist gives no ValueError",
            call=_refuses,
        ),
    ),
    mistakes=(
        Mistake(
            "attention_linear_in_length",
            "your attention costs n·d². How many pairs of query and key are there, and how wide is each dot product?",
            _cost(attention_flops=lambda n, d, kernel: 4 * n * d * d),
        ),
        Mistake(
            "attention_half",
            "your attention's FLOPs are half of what they should be. How many matrix products are there, and how many "
            "operations is one multiply–add?",
            _cost(attention_flops=lambda n, d, kernel: 2 * n * n * d),
        ),
        Mistake(
            "rnn_half",
            "your RNN's FLOPs are half of what they should be. How many matrices does one step multiply by, and how "
            "many operations is one multiply–add?",
            _cost(rnn_flops=lambda n, d, kernel: 2 * n * d * d),
        ),
        Mistake(
            "cnn_half",
            "your CNN's FLOPs are half of what they should be. How many operations is one multiply–add?",
            _cost(cnn_flops=lambda n, d, kernel: kernel * n * d * d),
        ),
        Mistake(
            "cnn_path_logarithmic",
            "your CNN path grows like a logarithm, as with dilated kernels. How much further does one more layer "
            "without dilation reach?",
            _cost(cnn_path_length=lambda n, d, kernel: math.ceil(math.log(n, kernel))),
        ),
        Mistake(
            "cnn_path_log2",
            "your CNN path grows like log₂ n. How much further does one more layer without dilation reach?",
            _cost(cnn_path_length=lambda n, d, kernel: math.ceil(math.log2(n))),
        ),
        Mistake(
            "any_kind_accepted",
            "a kind that does not exist gives no ValueError. What should the last branch do?",
            _no_error,
        ),
        Mistake(
            "attention_with_projections",
            "you count the projections too. Which of the terms does the docstring leave out?",
            _cost(attention_flops=lambda n, d, kernel: 4 * n * n * d + 8 * n * d * d),
        ),
        Mistake(
            "rnn_parallel",
            "your RNN needs one sequential step. Can step t start before step t−1 has ended?",
            _cost(rnn_sequential_steps=lambda n, d, kernel: 1),
        ),
        Mistake(
            "rnn_path_n",
            "your RNN path is one step too long. How many steps lie between position 1 and position n?",
            _cost(rnn_path_length=lambda n, d, kernel: n),
        ),
        Mistake(
            "rnn_steps_n_minus_one",
            "your RNN does one step too few. How many positions must it read, one after the other?",
            _cost(rnn_sequential_steps=lambda n, d, kernel: n - 1),
        ),
        Mistake(
            "cnn_path_from_n",
            "your CNN path bridges n positions. How far apart are the first and the last one?",
            _cost(cnn_path_length=lambda n, d, kernel: math.ceil(2 * n / (kernel - 1))),
        ),
        Mistake(
            "cnn_path_one",
            "your CNN connects the two ends in one layer. How far to each side does one kernel reach?",
            _cost(cnn_path_length=lambda n, d, kernel: 1),
        ),
        Mistake(
            "cnn_path_rounded_down",
            "your CNN path is rounded down, and the last layer is missing. Which way must a number of layers be "
            "rounded?",
            _cost(cnn_path_length=lambda n, d, kernel: 2 * (n - 1) // (kernel - 1)),
        ),
        Mistake(
            "cnn_reach_of_both_sides",
            "your CNN moves kernel − 1 positions per layer. A centred kernel looks both ways: how far to one side?",
            _cost(cnn_path_length=lambda n, d, kernel: math.ceil((n - 1) / (kernel - 1))),
        ),
        Mistake(
            "cnn_path_n_over_kernel",
            "your CNN path is n/kernel. How far to one side does a centred kernel reach?",
            _cost(cnn_path_length=lambda n, d, kernel: math.ceil(n / kernel)),
        ),
        Mistake(
            "cnn_without_kernel",
            "your CNN's FLOPs do not depend on the kernel. How many positions does each output read?",
            _cost(cnn_flops=lambda n, d, kernel: 2 * n * d * d),
        ),
        Mistake(
            "kernel_of_three",
            "your CNN's numbers are those of a kernel of 3. Which argument says how wide the kernel is?",
            _cost(cnn_flops=lambda n, d, kernel: 6 * n * d * d, cnn_path_length=lambda n, d, kernel: n - 1),
        ),
        Mistake(
            "cnn_flops_of_all_layers",
            "you count the FLOPs of all stacked layers. How many does the docstring ask for?",
            _cost(
                cnn_flops=lambda n, d, kernel: 2 * kernel * n * d * d * math.ceil(2 * (n - 1) / (kernel - 1)),
            ),
        ),
        Mistake(
            "cnn_sequential_path",
            "you count stacked layers as sequential steps. Within one layer, does any position wait for another?",
            _cost(cnn_sequential_steps=lambda n, d, kernel: math.ceil(2 * (n - 1) / (kernel - 1))),
        ),
    ),
)


CROSSOVER_LENGTH = Exercise(
    name="crossover_length",
    points=1,
    reference=reference.crossover_length,
    cases=(Case("d = 39", lambda draw: [39]), Case("fresh width", lambda draw: [draw.integer(100, 4000)])),
    mistakes=(
        Mistake(
            "twice",
            "your length is twice too long. Do both sides count the same number of FLOPs per multiply–add?",
            lambda d: 2 * d,
        ),
        Mistake(
            "half",
            "your length is half of what it should be. Do both sides count the same number of FLOPs per multiply–add?",
            lambda d: d // 2,
        ),
        Mistake(
            "rounded_down",
            "an integer division loses the remainder. Can you cancel before you divide?",
            lambda d: d // 4 * 4,
        ),
        Mistake(
            "squared", "your length grows with d². Which factors stand on both sides of the equation?", lambda d: d * d
        ),
        Mistake(
            "root",
            "your length grows like √d. Which factors stand on both sides of the equation?",
            lambda d: round(math.sqrt(d)),
        ),
        Mistake(
            "one_too_short",
            "your length is 1 too short. Does a division round down? Where are the two costs equal?",
            lambda d: d - 1,
        ),
        Mistake(
            "first_longer",
            "at your length attention already costs more. Where are the two equal?",
            lambda d: d + 1,
        ),
        Mistake(
            "with_projections",
            "you count the projections and the feed-forward network of a block. Which two layers are compared here?",
            lambda d: 6 * d,
        ),
        Mistake(
            "fixed", "your length does not depend on d. Which side of the equation grows faster with d?", lambda d: 512
        ),
    ),
)
