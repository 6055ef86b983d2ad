"""xavier_std, he_std and residual_std."""

from __future__ import annotations

import math

from ...models.block import signal as reference
from ..core.exercise import Case, Exercise, Mistake

XAVIER_STD = Exercise(
    name="xavier_std",
    points=0.5,
    reference=reference.xavier_std,
    cases=(
        Case("fresh widths", lambda draw: [draw.integer(10, 90), draw.integer(100, 900)]),
        Case("a square layer", lambda draw: [512, 512]),
        Case("wide to narrow", lambda draw: [draw.integer(1000, 2000), draw.integer(10, 90)]),
    ),
    mistakes=(
        Mistake(
            "variance",
            "you return the variance. How is the standard deviation made from it?",
            lambda fan_in, fan_out: 2 / (fan_in + fan_out),
        ),
        Mistake(
            "gain_of_relu",
            "your deviation is √2 times too large. That factor is for ReLU: whose formula has it?",
            lambda fan_in, fan_out: math.sqrt(4 / (fan_in + fan_out)),
        ),
        Mistake(
            "uniform_bound",
            "this is the bound of Xavier's uniform version. Which standard deviation does the normal version have?",
            lambda fan_in, fan_out: math.sqrt(6 / (fan_in + fan_out)),
        ),
        Mistake(
            "no_two",
            "your variance is 1 / (fan_in + fan_out). The mean of the two fans stands below the line: where is the 2?",
            lambda fan_in, fan_out: math.sqrt(1 / (fan_in + fan_out)),
        ),
        Mistake(
            "fan_out_ignored",
            "fan_out changes nothing in your result. Between which two wishes does Xavier compromise?",
            lambda fan_in, fan_out: math.sqrt(1 / fan_in),
        ),
        Mistake(
            "fan_in_ignored",
            "fan_in changes nothing in your result. Between which two wishes does Xavier compromise?",
            lambda fan_in, fan_out: math.sqrt(1 / fan_out),
        ),
        Mistake(
            "he",
            "this is He's formula. Which second fan does Xavier take into account?",
            lambda fan_in, fan_out: math.sqrt(2 / fan_in),
        ),
        Mistake(
            "geometric_mean",
            "you use the geometric mean of the two fans. Which mean stands in Xavier's formula?",
            lambda fan_in, fan_out: (fan_in * fan_out) ** -0.25,
        ),
    ),
)

HE_STD = Exercise(
    name="he_std",
    points=0.5,
    reference=reference.he_std,
    cases=(
        Case("512", lambda draw: [512]),
        Case("fresh width", lambda draw: [draw.integer(10, 90)]),
        Case("one input", lambda draw: [1]),
    ),
    mistakes=(
        Mistake(
            "variance",
            "you return the variance. How is the standard deviation made from it?",
            lambda fan_in: 2 / fan_in,
        ),
        Mistake(
            "without_relu",
            "1 / fan_in keeps the size of a linear layer. ReLU sets half of the numbers to 0: which factor makes up "
            "for it?",
            lambda fan_in: math.sqrt(1 / fan_in),
        ),
        Mistake(
            "two_outside_the_root",
            "your 2 stands outside the root. What does ReLU halve: the standard deviation or the mean square?",
            lambda fan_in: 2 / math.sqrt(fan_in),
        ),
        Mistake(
            "root_of_two_only",
            "you take the root of 2 but not of fan_in. What is the square of your result times fan_in?",
            lambda fan_in: math.sqrt(2) / fan_in,
        ),
        Mistake(
            "uniform_bound",
            "this is the bound of He's uniform version. Which standard deviation does the normal version have?",
            lambda fan_in: math.sqrt(6 / fan_in),
        ),
        Mistake(
            "inverted",
            "your weights grow with fan_in. If more inputs are added up, should each weight be larger or smaller?",
            lambda fan_in: math.sqrt(fan_in / 2),
        ),
    ),
)

RESIDUAL_STD = Exercise(
    name="residual_std",
    points=0.5,
    reference=reference.residual_std,
    cases=(
        Case("GPT-2 small", lambda draw: [0.02, 12]),
        Case("fresh", lambda draw: [draw.integer(2, 40) / 20, draw.integer(3, 90)]),
        Case("one layer", lambda draw: [1.0, 1]),
    ),
    mistakes=(
        Mistake(
            "one_branch_per_layer",
            "you divide by √L. How many branches does one layer add to the stream?",
            lambda base_std, num_layers: base_std / math.sqrt(num_layers),
        ),
        Mistake(
            "no_root",
            "you divide by 2L. Which quantity of independent terms adds up: the standard deviation or the variance?",
            lambda base_std, num_layers: base_std / (2 * num_layers),
        ),
        Mistake(
            "no_root_one_branch",
            "you divide by L. Which quantity of independent terms adds up, and how many terms are there?",
            lambda base_std, num_layers: base_std / num_layers,
        ),
        Mistake(
            "multiplied",
            "your deviation grows with depth. Should each of many branches add more or less?",
            lambda base_std, num_layers: base_std * math.sqrt(2 * num_layers),
        ),
        Mistake(
            "two_outside_the_root",
            "your 2 stands outside the root. Of what is the root taken: the layers or the branches?",
            lambda base_std, num_layers: base_std / (2 * math.sqrt(num_layers)),
        ),
        Mistake(
            "root_of_the_base",
            "you took the root of base_std as well. Is base_std a variance?",
            lambda base_std, num_layers: math.sqrt(base_std / (2 * num_layers)),
        ),
    ),
)
