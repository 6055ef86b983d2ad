"""Watches a sandbox from outside: what no limit of a single process can hold.

Limits of the kernel are per process. A submission may have many, may send the grader more than it can hold, and may
keep the processors from the submissions beside it; this looks at all its processes together, four times a second.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

import psutil

LOOK_SECONDS = 0.25
GLANCE_SECONDS = 0.05  # at this process's own memory, which a flood fills quickly
GRADER_MEMORY = 2**30  # bytes that this process may grow by while a kernel runs
CPU_SHARE, CPU_BURST = 1.25, 4.0  # processors, and seconds beyond them, before a sandbox has to stand back


def below(pid: int) -> list[psutil.Process]:
    """All descendants of a process."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).children(recursive=True)
    return []


def resident(processes: list[psutil.Process]) -> int:
    """Resident bytes of some processes. Pages that a fork shares count once for each."""
    total = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            total += process.memory_info().rss
    return total


def _mine() -> int:
    """Resident bytes of this process; 0 where it cannot be told."""
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _spent(processes: list[psutil.Process], known: dict[tuple[int, float], float]) -> float:
    """Processor seconds of all processes seen so far, those that have ended included."""
    for process in processes:
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            known[process.pid, process.create_time()] = times.user + times.system
    return sum(known.values())


def stand_back(process: psutil.Process) -> None:
    """Lets all others go first. Linux shares processors among sessions too (autogroup), hence the second step."""
    with contextlib.suppress(psutil.Error, OSError):
        if process.nice() < 19:
            process.nice(19)
        with open(f"/proc/{process.pid}/autogroup", "r+") as file:
            if not file.read().strip().endswith("nice 19"):
                file.write("19")


def watch(kernel: Any, pid: int, ours: Callable[[psutil.Process], bool], more: int = 0) -> None:
    """Ends a kernel that uses or sends too much, and says why in its `reason`. It returns when the kernel has ended.

    Args:
        kernel: Has `poll`, `kill`, `limits`, and `reason`.
        pid: The process below which its processes are.
        ours: Which of these are the grader's own.
        more: Resident bytes of the grader's own.
    """
    try:
        _watch(kernel, pid, ours, more)
    except Exception as error:  # what is not watched does not run
        kernel.reason = f"it could not be watched ({type(error).__name__})"
        kernel.kill()


def _not(ours: Callable[[psutil.Process], bool], processes: list[psutil.Process]) -> list[psutil.Process]:
    kept = []
    for process in processes:
        with contextlib.suppress(psutil.Error):  # it has ended meanwhile
            if not ours(process):
                kept.append(process)
    return kept


def _watch(kernel: Any, pid: int, ours: Callable[[psutil.Process], bool], more: int) -> None:
    before, began, known, last = _mine(), time.monotonic(), {}, 0.0
    while kernel.poll() is None:
        now = time.monotonic()
        if _mine() - before > GRADER_MEMORY:
            kernel.reason = "it sends more than the grader can hold"
        elif now - last >= LOOK_SECONDS:
            last, processes = now, below(pid)
            if resident(processes) - more > kernel.limits.total_memory:
                kernel.reason = f"its processes use more than {kernel.limits.total_memory / 2**30:g} GB of memory"
            theirs = _not(ours, processes)
            if _spent(theirs, known) > CPU_SHARE * (now - began) + CPU_BURST:
                for process in theirs:
                    stand_back(process)
        if kernel.reason:
            kernel.kill()
            return
        time.sleep(GLANCE_SECONDS)
