"""ssm_recurrence and ssm_convolution."""

from __future__ import annotations

import torch

from ...models.mamba_moe import ssm as reference
from ..core.exercise import Case, Exercise, Mistake
from .watch import operations


def stable(draw, n: int, **kind):
    """ā between 0.3 and 0.97, b̄ and c, each `(n,)`."""
    return [draw.uniform(n, low=0.3, high=0.97, **kind), draw.normal(n, **kind), draw.normal(n, **kind)]


# --- ssm_recurrence ------------------------------------------------------------------------------------------------


def _recurrence(step=None, read=None):
    """A recurrence with another step or another output."""

    def ssm_recurrence(a_bar, b_bar, c, x):
        h, outputs = x.new_zeros(*x.shape[:-1], a_bar.shape[0]), []
        for t in range(x.shape[-1]):
            now = x[..., t, None]
            old, h = h, (step(a_bar, b_bar, h, now) if step else a_bar * h + b_bar * now)
            outputs.append((read(c, old, h, a_bar) if read else (c * h)).sum(-1))
        return torch.stack(outputs, dim=-1)

    return ssm_recurrence


SSM_RECURRENCE = Exercise(
    name="ssm_recurrence",
    points=1,
    reference=reference.ssm_recurrence,
    helpers=(reference.ssm_convolution,),
    forbid=(),
    cases=(
        Case("one sequence", lambda draw: [*stable(draw, 4), draw.normal(6)], grad=True),
        Case("a batch", lambda draw: [*stable(draw, 3), draw.normal(2, 3, 7)], grad=True),
        Case("one step", lambda draw: [*stable(draw, 3), draw.normal(2, 1)]),
        Case("float32", lambda draw: [*stable(draw, 3, dtype=torch.float32), draw.normal(9, dtype=torch.float32)]),
    ),
    mistakes=(
        Mistake(
            "state_before_input",
            "y_t is read before x_t has entered the state, so each output is one step late. Which h does y_t use?",
            _recurrence(read=lambda c, old, h, a: c * old),
        ),
        Mistake(
            "from_the_end",
            "you run from the end to the beginning. Which input is the first to enter the state?",
            lambda a, b, c, x: reference.ssm_recurrence(a, b, c, x.flip(-1)),
        ),
        Mistake(
            "input_decays_at_once",
            "x_t is multiplied by ā in the step in which it enters. What is multiplied by ā?",
            _recurrence(step=lambda a, b, h, x: a * (h + b * x)),
        ),
        Mistake(
            "c_left_out", "your output is the sum of the state. Where is c?", _recurrence(read=lambda c, o, h, a: h)
        ),
        Mistake(
            "b_left_out", "x_t enters every entry alike. Where is b̄?", _recurrence(step=lambda a, b, h, x: a * h + x)
        ),
        Mistake(
            "no_memory",
            "each output depends on its own input alone. What of the state is kept?",
            _recurrence(step=lambda a, b, h, x: b * x + 0 * (a * h)),
        ),
        Mistake(
            "no_decay",
            "the state never forgets: ā is missing. By what is the old state multiplied?",
            _recurrence(step=lambda a, b, h, x: h + b * x + 0 * a),
        ),
        Mistake(
            "moving_average",
            "b̄ x_t is multiplied by 1 − ā, as in a moving average. What does the formula add?",
            _recurrence(step=lambda a, b, h, x: a * h + (1 - a) * b * x),
        ),
        Mistake(
            "mean_for_sum",
            "you take the mean over the state. What does the dot product of c and h do?",
            lambda a_bar, b_bar, c, x: reference.ssm_recurrence(a_bar, b_bar, c / len(c), x),
        ),
    ),
)

# --- ssm_convolution -----------------------------------------------------------------------------------------------


def watched_convolution(answer, a_bar, b_bar, c, x):
    """The output; whether the number of operations grows with T; whether there is an FFT among them."""
    long, short = (operations(lambda n=n: answer(a_bar, b_bar, c, x[..., :n])) for n in (x.shape[-1], 16))
    return [answer(a_bar, b_bar, c, x), len(long) > len(short) + 16, any("fft" in name for name in long)]


def _kernel(a_bar, b_bar, c, length, first=0):
    steps = torch.arange(first, length + first, dtype=a_bar.dtype)
    return (c * b_bar) @ a_bar[:, None] ** steps


def _convolve(kernel, x, size):
    product = torch.fft.rfft(x, n=size) * torch.fft.rfft(kernel, n=size)
    return torch.fft.irfft(product, n=size)[..., : x.shape[-1]]


def _with_kernel(change=lambda k: k, first=0, circular=False):
    def ssm_convolution(a_bar, b_bar, c, x):
        length = x.shape[-1]
        return _convolve(change(_kernel(a_bar, b_bar, c, length, first)), x, length if circular else 2 * length)

    return ssm_convolution


def _late(kernel):
    return torch.cat([kernel.new_zeros(1), kernel[:-1]])


def _toeplitz(a_bar, b_bar, c, x):
    kernel = _kernel(a_bar, b_bar, c, x.shape[-1])
    lag = torch.arange(x.shape[-1])[:, None] - torch.arange(x.shape[-1])[None, :]
    return x @ (kernel[lag.clamp(min=0)] * (lag >= 0)).T


SSM_CONVOLUTION = Exercise(
    name="ssm_convolution",
    points=1.5,
    reference=reference.ssm_convolution,
    helpers=(reference.ssm_recurrence,),
    forbid=(),
    cases=(
        Case("one sequence", lambda draw: [*stable(draw, 4), draw.normal(6)], grad=True),
        Case("a batch", lambda draw: [*stable(draw, 3), draw.normal(2, 3, 7)], grad=True),
        Case("one step", lambda draw: [*stable(draw, 3), draw.normal(2, 1)]),
        Case(
            "FFT and no loop",
            lambda draw: [*stable(draw, 3), draw.normal(200)],
            lambda a_bar, b_bar, c, x: [reference.ssm_recurrence(a_bar, b_bar, c, x), False, True],
            call=watched_convolution,
            limit=10.0,
        ),
        Case("float32", lambda draw: [*stable(draw, 3, dtype=torch.float32), draw.normal(9, dtype=torch.float32)]),
    ),
    mistakes=(
        Mistake(
            "circular",
            "the end of the sequence runs into its start: your convolution is circular. How long must the FFT "
            "be, so that "
            "nothing wraps around?",
            _with_kernel(circular=True),
        ),
        Mistake(
            "kernel_reversed",
            "your kernel is reversed: the oldest input has the largest weight. Which power of ā belongs to the newest?",
            _with_kernel(change=lambda k: k.flip(-1)),
        ),
        Mistake(
            "state_before_input",
            "each output is one step late. With which power does the kernel start, and at which lag?",
            _with_kernel(change=_late),
        ),
        Mistake(
            "powers_from_one",
            "the newest input is multiplied by ā already. With which power does the kernel start?",
            _with_kernel(first=1),
        ),
        Mistake(
            "b_left_out",
            "b̄ does not enter your kernel. How does x_t get into the state?",
            lambda a_bar, b_bar, c, x: reference.ssm_convolution(a_bar, torch.ones_like(b_bar), c, x),
        ),
        Mistake(
            "c_left_out",
            "c does not enter your kernel. How is the state read?",
            lambda a_bar, b_bar, c, x: reference.ssm_convolution(a_bar, b_bar, torch.ones_like(c), x),
        ),
        Mistake(
            "loop",
            "the values are right, but the number of operations grows with T: there is a loop, and no FFT. How "
            "are all powers "
            "of ā written as one tensor?",
            _recurrence(),
        ),
        Mistake(
            "loop_for_the_kernel",
            "the values are right, but the number of operations grows with T. How are all powers of ā written as one "
            "tensor?",
            lambda a_bar, b_bar, c, x: _convolve(
                torch.stack([(c * b_bar * a_bar**k).sum() for k in range(x.shape[-1])]), x, 2 * x.shape[-1]
            ),
        ),
        Mistake(
            "no_fft",
            "the values are right, but there is no FFT: T² products. What becomes of a convolution under torch.fft?",
            _toeplitz,
        ),
    ),
)
