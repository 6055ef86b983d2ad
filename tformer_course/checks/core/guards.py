"""What an answer may not lean on while it is judged, and how long it may take."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator

from torch.overrides import TorchFunctionMode

# Every road to ready-made attention in torch: the function, the two behind nn.MultiheadAttention, the CPU kernels.
ATTENTION_SHORT_CUTS = (
    "scaled_dot_product_attention",
    "multi_head_attention_forward",
    "_native_multi_head_attention",
    "_scaled_dot_product_attention_math",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_flash_attention_for_cpu",
    "_scaled_dot_product_efficient_attention",
)


class ShortCutError(Exception):
    """The answer called something that it is meant to replace."""


class TimeLimitError(BaseException):
    """The answer ran longer than its limit. Not an Exception, so that `except Exception` does not swallow it."""


class _NoShortCuts(TorchFunctionMode):
    """Refuses torch functions by name, whatever name or alias they are reached by."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__()
        self.names = frozenset(names)

    def __torch_function__(self, func, types_, args=(), kwargs=None):
        name = getattr(func, "__name__", "").split(".")[0]
        if name in self.names:
            raise ShortCutError(f"it calls torch's {name}; write this one by hand")
        return func(*args, **(kwargs or {}))


def _refuse(*args, **kwargs):
    # This code runs with the globals of the function it is put into, hence the import.
    from tformer_course.checks.core.guards import ShortCutError

    raise ShortCutError("it calls the package's own solution or a library's; write this one by hand")


def _code_owner(reference: Callable) -> types.FunctionType | None:
    """The Python function whose code is switched off: the reference itself, or a module's forward."""
    function = getattr(reference, "forward", None) if isinstance(reference, type) else reference
    return function if isinstance(function, types.FunctionType) and not function.__code__.co_freevars else None


@contextlib.contextmanager
def no_short_cuts(names: Iterable[str] = (), references: Iterable[Callable] = ()) -> Iterator[None]:
    """Switches off torch functions (by name) and the package's own solutions while the block runs.

    The code object of a reference is exchanged, not its name: an alias imported earlier is switched off too.

    Args:
        names: Names of torch functions, e.g. "scaled_dot_product_attention".
        references: Functions or nn.Module classes of this package.
    """
    swapped = [(f, f.__code__) for f in map(_code_owner, references) if f is not None]
    try:
        for function, _ in swapped:
            function.__code__ = _refuse.__code__
        with _NoShortCuts(names):
            yield
    finally:
        for function, code in swapped:
            function.__code__ = code


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises TimeLimitError in this thread when the block takes longer.

    On Linux and macOS a timer signal is used, which also ends a `time.sleep`; there the limit counts seconds of the
    processor, so that a busy machine costs nobody marks, and four times as many seconds of the clock. On Windows, or
    outside the main thread, the clock counts, and the error is raised at the next Python instruction.
    """
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        worked, started = time.process_time(), time.monotonic()

        def stop(signum, frame):
            if time.process_time() - worked >= seconds or time.monotonic() - started >= 4 * seconds:
                raise TimeLimitError

        before = signal.signal(signal.SIGALRM, stop)
        # Repeats every half second: an answer that swallows the first one meets the next.
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    else:
        target = ctypes.c_ulong(threading.get_ident())
        raise_there = ctypes.pythonapi.PyThreadState_SetAsyncExc
        timer = threading.Timer(seconds, lambda: raise_there(target, ctypes.py_object(TimeLimitError)))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
