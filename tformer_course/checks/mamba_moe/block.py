"""MambaBlock."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from ...models.mamba_moe import block as reference
from ...models.mamba_moe.scan import selective_scan
from ..core.exercise import Case, Exercise, Mistake
from .weights import block_weights, parameter_shapes, run_block, slow_block


def _keep(value):
    return value


def _present(inner, length, width):
    """The output of the padded convolution at the positions that see the past alone."""
    return inner[..., :length]


def wrong_block(
    *,
    biased=False,
    conv_bias=True,
    cut=_present,
    activation=F.silu,
    positive=F.softplus,
    select=_keep,
    drop_step=False,
    halves=(0, 1),
    parts=(0, 1, 2),
    minus=lambda log: -torch.exp(log),
    skip=True,
    gated=lambda y, gate: y * F.silu(gate),
    hold=False,
):
    """A class like MambaBlock with one thing changed."""

    class MambaBlock(nn.Module):
        def __init__(self, d_model, d_state=16, d_conv=4, expand=2):
            super().__init__()
            inner, self.rank, self.n = expand * d_model, math.ceil(d_model / 16), d_state
            self.in_proj = nn.Linear(d_model, 2 * inner, bias=biased)
            self.conv1d = nn.Conv1d(inner, inner, d_conv, groups=inner, padding=d_conv - 1, bias=conv_bias)
            self.x_proj = nn.Linear(inner, self.rank + 2 * d_state, bias=False)
            self.dt_proj = nn.Linear(self.rank, inner)
            self.A_log = nn.Parameter(torch.zeros(inner, d_state))
            self.D = nn.Parameter(torch.ones(inner))
            self.out_proj = nn.Linear(inner, d_model, bias=biased)

        def forward(self, x):
            both = self.in_proj(x).chunk(2, dim=-1)
            inner, gate = both[halves[0]], both[halves[1]]
            width = self.conv1d.weight.shape[-1]
            inner = activation(cut(self.conv1d(inner.transpose(1, 2)), x.shape[1], width).transpose(1, 2))
            read = self.x_proj(select(inner))
            sizes = [(self.rank, self.n, self.n)[p] for p in parts]
            found = dict(zip(parts, read.split(sizes, dim=-1), strict=True))
            low, b, c = (found[i].expand(*x.shape[:2], -1) for i in range(3))
            delta = positive(self.dt_proj(0 * low if drop_step else low))
            a = minus(self.A_log)
            if hold:
                enter = torch.expm1(delta[..., None] * a) / a * b[:, :, None, :]
                y = _exact(inner, delta, a, enter, c) + self.D * inner
            else:
                y = selective_scan(inner, delta, a, b, c, self.D if skip else 0 * self.D)
            return self.out_proj(gated(y, gate))

    return MambaBlock


def _exact(x, delta, a, enter, c):
    h, outputs = 0.0, []
    for t in range(x.shape[1]):
        h = torch.exp(delta[:, t, :, None] * a) * h + enter[:, t] * x[:, t, :, None]
        outputs.append((h @ c[:, t, :, None])[..., 0])
    return torch.stack(outputs, dim=1)


def _inputs(draw, batch=2, length=6, width=6, dtype=torch.float64, **sizes):
    return [block_weights(draw, width, dtype=dtype, **sizes), draw.normal(batch, length, width, dtype=dtype)]


def default_sizes(answer):
    """Shapes with the defaults alone, at a width where the rank of the steps is rounded up."""
    return parameter_shapes(answer, 40)


MAMBA_BLOCK = Exercise(
    name="MambaBlock",
    points=3,
    reference=reference.MambaBlock,
    forbid=(),
    cases=(
        Case("parameters", lambda draw: [8, 3, 5, 3], call=parameter_shapes),
        Case("default sizes", lambda draw: [], lambda: parameter_shapes(reference.MambaBlock, 40), call=default_sizes),
        Case("values", _inputs, slow_block, call=run_block, grad=True),
        Case(
            "other sizes",
            lambda draw: [*_inputs(draw, length=5, width=18, n=2, conv=3, expand=3), 2, 3, 3],
            lambda weights, x, *sizes: slow_block(weights, x),
            call=run_block,
        ),
        Case("one position", lambda draw: _inputs(draw, length=1), slow_block, call=run_block),
        Case("float32", lambda draw: _inputs(draw, dtype=torch.float32), slow_block, call=run_block),
    ),
    mistakes=(
        Mistake(
            "projections_with_bias",
            "in_proj and out_proj have a bias in your block. Which two sub-modules have one?",
            wrong_block(biased=True),
        ),
        Mistake(
            "convolution_without_bias",
            "conv1d has no bias in your block. Which two sub-modules have one?",
            wrong_block(conv_bias=False),
        ),
        Mistake(
            "convolution_sees_the_future",
            "your convolution sees the future: the padded output is cut at its start, not at its end. Which T of the "
            "T + d_conv − 1 outputs see the past alone?",
            wrong_block(cut=lambda inner, length, width: inner[..., width - 1 :]),
        ),
        Mistake(
            "convolution_centred",
            "your convolution is centred: it sees as much of the future as of the past. Which T of the T + "
            "d_conv − 1 outputs "
            "see the past alone?",
            wrong_block(cut=lambda inner, length, width: inner[..., (width - 1) // 2 :][..., :length]),
        ),
        Mistake(
            "delta_not_positive",
            "your step sizes can be negative: the state then grows. Which smooth function makes them positive?",
            wrong_block(positive=_keep),
        ),
        Mistake(
            "delta_by_relu",
            "your step sizes are made positive by ReLU, so many of them are exactly 0. Which smooth function "
            "does Mamba take?",
            wrong_block(positive=F.relu),
        ),
        Mistake(
            "delta_by_exp",
            "your step sizes are made positive by exp. Which function grows only linearly?",
            wrong_block(positive=torch.exp),
        ),
        Mistake(
            "delta_ignores_the_input",
            "your step sizes do not depend on the input: the first part of x_proj's output is lost. What goes "
            "into dt_proj?",
            wrong_block(drop_step=True),
        ),
        Mistake(
            "time_invariant",
            "all positions share one step, b and c, read off the mean: your block is time-invariant. What does "
            "position t read "
            "them from?",
            wrong_block(select=lambda inner: inner.mean(1, keepdim=True)),
        ),
        Mistake(
            "first_position_for_all",
            "all positions share the step, b and c of the first: your block is time-invariant. What does "
            "position t read "
            "them from?",
            wrong_block(select=lambda inner: inner[:, :1]),
        ),
        Mistake(
            "no_activation",
            "the SiLU after the convolution is missing. What goes into x_proj and into the scan?",
            wrong_block(activation=_keep),
        ),
        Mistake(
            "gate_without_silu",
            "the gate is multiplied as it is. Which function does it pass first?",
            wrong_block(gated=lambda y, gate: y * gate),
        ),
        Mistake(
            "sigmoid_gate",
            "the gate passes a sigmoid. Which function does Mamba take?",
            wrong_block(gated=lambda y, gate: y * torch.sigmoid(gate)),
        ),
        Mistake(
            "no_gate",
            "the second half of in_proj's output is not used. What is multiplied by it?",
            wrong_block(gated=lambda y, gate: y + 0 * gate),
        ),
        Mistake(
            "halves_swapped",
            "the two halves of in_proj's output are swapped. Which one is the gate?",
            wrong_block(halves=(1, 0)),
        ),
        Mistake(
            "b_and_c_swapped",
            "b and c are swapped. In which order does x_proj give step, b and c?",
            wrong_block(parts=(0, 2, 1)),
        ),
        Mistake(
            "step_read_last",
            "you read b and c first and the step last. In which order does x_proj give step, b and c?",
            wrong_block(parts=(1, 2, 0)),
        ),
        Mistake(
            "a_positive",
            "your state grows: a is exp(A_log). Which sign has a?",
            wrong_block(minus=torch.exp),
        ),
        Mistake(
            "a_is_the_logarithm",
            "you use A_log itself. What is a, if A_log is the logarithm of −a?",
            wrong_block(minus=_keep),
        ),
        Mistake("no_skip", "D changes nothing. What is multiplied by it?", wrong_block(skip=False)),
        Mistake(
            "exact_hold_for_b",
            "b̄ is the exact hold in your scan. What does Mamba's code take instead?",
            wrong_block(hold=True),
        ),
    ),
)
