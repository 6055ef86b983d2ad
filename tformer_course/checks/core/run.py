"""One call of an answer: on copies of the inputs, timed, silenced, caught, with gradients where wanted."""

from __future__ import annotations

import contextlib
import io
import linecache
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
from torch import Tensor

from .guards import ShortCutError, TimeLimitError, no_short_cuts, time_limit

NOT_DONE = "not done yet"


@dataclass
class Outcome:
    """What one call gave: `value` and `gradients`, or `error` in one sentence.

    `gradients` has one entry per floating-point tensor among the inputs, in order; None where nothing flowed.
    """

    value: Any = None
    gradients: list[Tensor | None] | None = None
    error: str | None = None
    modified: bool = False
    seconds: float = 0.0
    printed: str = field(default="", repr=False)


class _Bounded(io.StringIO):
    """Keeps the first 2,000 characters of what an answer prints, and forgets the rest."""

    def write(self, text: str) -> int:
        room = 2000 - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


# Gives the outcome of a call that is always the same, by a key; it may have it from an earlier time.
Recall = Callable[[tuple[str, ...], Callable[[], Outcome]], Outcome]


def each_time(key: tuple[str, ...], call: Callable[[], Outcome]) -> Outcome:
    """The `Recall` that remembers nothing."""
    return call()


def tensors_in(tree: Any) -> list[Tensor]:
    """All tensors of nested lists, tuples and dicts, in order."""
    if isinstance(tree, Tensor):
        return [tree]
    if isinstance(tree, dict):
        return [t for v in tree.values() for t in tensors_in(v)]
    if isinstance(tree, list | tuple):
        return [t for v in tree for t in tensors_in(v)]
    return []


def map_tensors(function: Callable[[Tensor], Tensor], tree: Any) -> Any:
    """The same tree with `function` applied to every tensor."""
    if isinstance(tree, Tensor):
        return function(tree)
    if isinstance(tree, dict):
        return {k: map_tensors(function, v) for k, v in tree.items()}
    if isinstance(tree, list | tuple):
        return [map_tensors(function, v) for v in tree]
    return tree


def same_tensors(a: Any, b: Any) -> bool:
    """Whether two trees hold equal tensors (NaN equals NaN)."""
    xs, ys = tensors_in(a), tensors_in(b)
    return len(xs) == len(ys) and all(
        x.shape == y.shape and x.dtype == y.dtype and torch.equal(torch.nan_to_num(x), torch.nan_to_num(y))
        for x, y in zip(xs, ys, strict=True)
    )


def _gradients(value: Any, leaves: list[Tensor], seed: int) -> list[Tensor | None]:
    """Gradient of a random weighted sum of all floating-point outputs with respect to each leaf."""
    outputs = [t for t in tensors_in(value) if t.is_floating_point()]
    generator = torch.Generator().manual_seed(seed)
    weights = [torch.randn(t.shape, generator=generator, dtype=torch.float64).to(t.dtype) for t in outputs]
    pairs = [(t, w) for t, w in zip(outputs, weights, strict=True) if t.requires_grad]
    if not pairs or not leaves:
        return [None] * len(leaves)
    return list(torch.autograd.grad([t for t, _ in pairs], leaves, [w for _, w in pairs], allow_unused=True))


@cache
def _load_autograd() -> None:
    """The first gradient of a process makes torch load sympy, for seconds; that is not the answer's time."""
    x = torch.ones((), requires_grad=True)
    torch.autograd.grad([x * 1.0], [x], [torch.ones(())])


def _sentence(error: BaseException, call: Callable) -> str:
    """The error in one or two sentences, with the student's own line where it can be told."""
    # torch raises NotImplementedError too, for a dtype that a function does not take: that is a mistake to be named.
    if isinstance(error, NotImplementedError) and "not implemented for" not in str(error):
        return NOT_DONE
    if isinstance(error, ShortCutError):
        return str(error)
    text = " ".join(str(error).split())[:300]
    said = f"it stops with {type(error).__name__}" + (f": {text}" if text else "")
    # The line shown must be the answer's own: never the package's, never the test cell's.
    hidden = call.__code__.co_filename if getattr(call, "__name__", "") == "<lambda>" else None
    where, step = None, error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        if name != hidden and ("ipykernel" in name or name.startswith(("<ipython", "<answer"))):
            where = (name, step.tb_lineno)
        step = step.tb_next
    line = linecache.getline(*where).strip() if where else ""
    return f"{said}. Line {where[1]} of your cell: {line}" if line else said


def run(
    call: Callable,
    inputs: Sequence[Any],
    *,
    grad: bool = False,
    seed: int = 0,
    limit: float = 10.0,
    forbid: Iterable[str] = (),
    references: Iterable[Callable] = (),
) -> Outcome:
    """Calls `call(*inputs)` and reports what came of it; never raises but for KeyboardInterrupt.

    Args:
        call: The answer, or a function that calls it.
        inputs: Arguments; nested lists, tuples and dicts of tensors and plain values. They are copied.
        grad: Whether to ask for gradients with respect to the floating-point inputs.
        seed: Seed of the global generator during the call, and of the weights of the outputs in the gradient.
        limit: Seconds that the call may take.
        forbid: Names of torch functions that are switched off.
        references: Functions and classes of this package that are switched off.

    Returns:
        The outcome; its value is detached.
    """
    if grad:
        _load_autograd()
    leaves = map_tensors(lambda t: t.detach().clone().requires_grad_(grad and t.is_floating_point()), list(inputs))
    # The answer gets copies of the leaves, so that one that works in place is noticed and not stopped by autograd.
    given = map_tensors(Tensor.clone, leaves)
    out, started = Outcome(), time.perf_counter()
    sink = _Bounded()
    try:
        with (
            torch.random.fork_rng(devices=[]),
            contextlib.redirect_stdout(sink),
            contextlib.redirect_stderr(sink),
            warnings.catch_warnings(),
            time_limit(limit),
            no_short_cuts(forbid, references),
        ):
            warnings.simplefilter("ignore")
            torch.default_generator.manual_seed(seed)  # torch.manual_seed asks every device: 2 ms a call
            value = call(*given)
            if grad:
                wanted = [t for t in tensors_in(leaves) if t.is_floating_point()]
                out.gradients = _gradients(value, wanted, seed)
            out.value = map_tensors(Tensor.detach, value)
    except TimeLimitError:
        out.error = f"it does not end within {limit:g} s. Is there a loop that never stops?"
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit and the like are answers that failed, not a reason to stop the notebook
        out.error = _sentence(error, call)
    out.seconds = time.perf_counter() - started
    out.modified = not same_tensors(given, leaves)
    out.printed = sink.getvalue()
    return out
