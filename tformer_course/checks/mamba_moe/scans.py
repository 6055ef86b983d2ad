"""selective_scan and associative_scan."""

from __future__ import annotations

import torch

from ...models.mamba_moe import scan as reference
from ..core.exercise import Case, Exercise, Mistake
from .watch import operations


def scan_inputs(draw, batch=2, length=5, channels=3, n=4, **kind):
    """x, delta, a, b, c, d of a selective scan."""
    return [
        draw.normal(batch, length, channels, **kind),
        draw.uniform(batch, length, channels, low=0.05, high=1.5, **kind),
        -draw.uniform(channels, n, low=0.2, high=2.0, **kind),
        draw.normal(batch, length, n, **kind),
        draw.normal(batch, length, n, **kind),
        draw.normal(channels, **kind),
    ]


def _scan(decay=None, drive=None, late=False, skip=None, change=lambda *all_: all_):
    """A selective scan with other parts."""

    def selective_scan(x, delta, a, b, c, d):
        x, delta, a, b, c, d = change(x, delta, a, b, c, d)
        h, outputs = x.new_zeros(x.shape[0], x.shape[2], a.shape[1]), []
        for t in range(x.shape[1]):
            step = delta[:, t, :, None]
            old = h
            a_bar = decay(step * a) if decay else torch.exp(step * a)
            enter = drive(step, a, b[:, t, None, :]) if drive else step * b[:, t, None, :]
            h = a_bar * h + enter * x[:, t, :, None]
            outputs.append(((old if late else h) * c[:, t, None, :]).sum(-1))
        y = torch.stack(outputs, dim=1)
        return y + (skip(d, x) if skip else d * x)

    return selective_scan


def _divided_by_the_decay(x, delta, a, b, c, d):
    log_decay = (delta[..., None] * a).cumsum(1)
    entered = (delta * x)[..., None] * b[:, :, None] * torch.exp(-log_decay)
    return (torch.exp(log_decay) * entered.cumsum(1) * c[:, :, None]).sum(-1) + d * x


def _strong(inputs):
    """The same with decays so strong that their product underflows."""
    x, delta, a, *rest = inputs
    return [x, delta, 100.0 * a, *rest]


def _hold(step, a, b):
    return torch.expm1(step * a) / a * b


SELECTIVE_SCAN = Exercise(
    name="selective_scan",
    points=2,
    reference=reference.selective_scan,
    helpers=(reference.selective_scan_parallel,),
    forbid=(),
    cases=(
        Case("values", lambda draw: scan_inputs(draw), grad=True),
        Case("one step", lambda draw: scan_inputs(draw, length=1), grad=True),
        Case("a longer sequence", lambda draw: scan_inputs(draw, batch=1, length=40, channels=2)),
        Case("strong decays", lambda draw: _strong(scan_inputs(draw, batch=1, length=20, channels=2))),
        Case("float32", lambda draw: scan_inputs(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "delta_shared",
            "all channels use the step size of the first. How many step sizes are there per position?",
            _scan(change=lambda x, delta, *rest: (x, delta[..., :1].expand_as(delta), *rest)),
        ),
        Mistake(
            "delta_averaged",
            "all channels use the mean step size. How many step sizes are there per position?",
            _scan(change=lambda x, delta, *rest: (x, delta.mean(-1, keepdim=True).expand_as(delta), *rest)),
        ),
        Mistake(
            "delta_averaged_over_positions",
            "all positions use the mean step size: nothing is selected. Which step does position t take?",
            _scan(change=lambda x, delta, *rest: (x, delta.mean(1, keepdim=True).expand_as(delta), *rest)),
        ),
        Mistake(
            "divided_by_the_decay",
            "strong decays give NaN: you divide by a product of decays that has become 0. What does the step from "
            "h_{t−1} to h_t multiply?",
            _divided_by_the_decay,
        ),
        Mistake(
            "delta_of_the_first_position",
            "all positions use the step size of the first: nothing is selected. Which step does position t take?",
            _scan(change=lambda x, delta, *rest: (x, delta[:, :1].expand_as(delta), *rest)),
        ),
        Mistake(
            "b_of_the_first_position",
            "all positions use the first b and c: nothing is selected. Which b lets x_t in?",
            _scan(change=lambda x, e, a, b, c, d: (x, e, a, b[:, :1].expand_as(b), c[:, :1].expand_as(c), d)),
        ),
        Mistake(
            "no_skip",
            "the skip d·x is missing. What does y_t contain besides c·h?",
            _scan(skip=lambda d, x: 0 * (d * x)),
        ),
        Mistake("skip_without_x", "you add d itself, not d·x. What is skipped?", _scan(skip=lambda d, x: d + 0 * x)),
        Mistake(
            "state_before_update",
            "y_t is read from the state before x_t has entered. Which h does y_t use?",
            _scan(late=True),
        ),
        Mistake(
            "exact_hold_for_b",
            "b̄ is the exact hold (exp(δa) − 1)/a·b. What does Mamba's code take instead?",
            _scan(drive=_hold),
        ),
        Mistake(
            "delta_missing_in_b",
            "x_t enters with b alone. By what is b multiplied?",
            _scan(drive=lambda step, a, b: b + 0 * step),
        ),
        Mistake(
            "euler",
            "the old state is multiplied by 1 + δa. Which function of δa is ā?",
            _scan(decay=lambda z: 1 + z),
        ),
        Mistake(
            "not_an_exponential",
            "the old state is multiplied by δa itself. Which function of δa is ā?",
            _scan(decay=lambda z: z),
        ),
        Mistake(
            "sign_of_a",
            "ā is exp(−δa), so the state grows. Which sign has a already?",
            _scan(decay=lambda z: torch.exp(-z)),
        ),
        Mistake(
            "b_and_c_swapped",
            "b and c are swapped. Which one lets x into the state, and which one reads it?",
            _scan(change=lambda x, delta, a, b, c, d: (x, delta, a, c, b, d)),
        ),
    ),
)


# --- associative_scan ----------------------------------------------------------------------------------------------


def watched_scan(answer, a, b):
    """h, and whether 16 times the length takes more than three times the operations (a logarithm: 1.7 times)."""
    long, short = (operations(lambda n=n: answer(a[:, :n], b[:, :n])) for n in (a.shape[1], a.shape[1] // 16))
    return [answer(a, b), len(long) > 3 * len(short)]


def _loop(a, b):
    h, states = torch.zeros_like(b[:, 0]), []
    for t in range(a.shape[1]):
        h = a[:, t] * h + b[:, t]
        states.append(h)
    return torch.stack(states, dim=1)


def slow_scan(a, b):
    """What an associative scan must give, step by step; and that it needs few operations."""
    return [_loop(a, b), False]


def _sweeps(combine, grow=2, only_one=False):
    def associative_scan(a, b):
        shift = 1
        while shift < a.shape[1]:
            late_a, late_b = combine(a[:, :-shift], b[:, :-shift], a[:, shift:], b[:, shift:])
            a = torch.cat([a[:, :shift], late_a], dim=1)
            b = torch.cat([b[:, :shift], late_b], dim=1)
            shift *= grow
            if only_one:
                break
        return b

    return associative_scan


def _by_division(a, b):
    product = a.cumprod(1)
    return product * (b / product).cumsum(1)


def _by_logarithms(a, b):
    total = a.log().cumsum(1)
    return total.exp() * (b * (-total).exp()).cumsum(1)


ASSOCIATIVE_SCAN = Exercise(
    name="associative_scan",
    points=2,
    reference=reference.associative_scan,
    forbid=(),
    cases=(
        Case(
            "eight steps",
            lambda draw: [draw.uniform(2, 8, 3, low=0.2), draw.normal(2, 8, 3)],
            _loop,
            grad=True,
        ),
        Case("five steps", lambda draw: [draw.uniform(2, 5, low=0.2), draw.normal(2, 5)], _loop, grad=True),
        Case("one step", lambda draw: [draw.uniform(2, 1, 3), draw.normal(2, 1, 3)], _loop),
        Case(
            "a = 0 in places",
            lambda draw: [draw.uniform(2, 9, 2) * draw.mask(2, 9, 2, keep=0.6), draw.normal(2, 9, 2)],
            _loop,
            grad=True,
        ),
        Case("products that underflow", lambda draw: [draw.uniform(1, 700, high=0.1), draw.normal(1, 700)], _loop),
        Case(
            "few operations",
            lambda draw: [draw.uniform(1, 512, 2), draw.normal(1, 512, 2)],
            slow_scan,
            call=watched_scan,
            limit=10.0,
        ),
        Case(
            "float32",
            lambda draw: [draw.uniform(2, 6, 3, dtype=torch.float32), draw.normal(2, 6, 3, dtype=torch.float32)],
            _loop,
        ),
    ),
    mistakes=(
        Mistake(
            "combination_order",
            "the two steps are combined in the wrong order. If b₁ comes first, by which a is it multiplied afterwards?",
            _sweeps(lambda a1, b1, a2, b2: (a1 * a2, a1 * b2 + b1)),
        ),
        Mistake(
            "earlier_a",
            "b₁ is multiplied by its own a. Which a acts on it in the second step?",
            _sweeps(lambda a1, b1, a2, b2: (a1 * a2, a1 * b1 + b2)),
        ),
        Mistake(
            "a_not_combined",
            "your a stays what it was, so from the second sweep on it is too large. What is a of two steps together?",
            _sweeps(lambda a1, b1, a2, b2: (a2, a2 * b1 + b2)),
        ),
        Mistake(
            "one_sweep",
            "each position sees one step back only. How often is the shift doubled?",
            _sweeps(lambda a1, b1, a2, b2: (a1 * a2, a2 * b1 + b2), only_one=True),
        ),
        Mistake(
            "shift_tripled",
            "some pasts are skipped: your shift grows too fast. How many positions does each one cover after s?",
            _sweeps(lambda a1, b1, a2, b2: (a1 * a2, a2 * b1 + b2), grow=3),
        ),
        Mistake(
            "running_sum",
            "this is a running sum: a changes nothing. By what is the past multiplied in each step?",
            lambda a, b: b.cumsum(1) + 0 * a,
        ),
        Mistake(
            "by_division",
            "you divide by a running product, which fails where it is 0 or underflows. Which way needs no division?",
            _by_division,
        ),
        Mistake(
            "by_logarithms",
            "you take logarithms, which fail where a is 0 or the sum is large. Which way needs neither "
            "logarithm nor division?",
            _by_logarithms,
        ),
        Mistake(
            "axis_0",
            "you scan along the batch. Which axis is the time?",
            lambda a, b: _loop(a.transpose(0, 1), b.transpose(0, 1)).transpose(0, 1),
        ),
        Mistake(
            "loop",
            "the values are right, but 16 times the length takes about 16 times the operations: there is a "
            "loop over T. "
            "What can all positions do at once?",
            _loop,
        ),
    ),
)
