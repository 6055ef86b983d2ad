"""What a worker does: one notebook, run and judged. It knows no gradebook and no other student."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import Any

import torch
from nbformat import NotebookNode

from .execute import judge
from .forkserver import ForkedKernels
from .kernels import Kernels, OpenKernels
from .runner import Bounds, Execution, execute

_kernels: dict[tuple, Kernels] = {}
_turn = threading.Lock()  # a Dask worker may have several threads; a fork server holds one kernel at a time


@dataclass(frozen=True)
class Job:
    """A restored notebook with all that its grading needs.

    Attributes:
        student: Whose it is, for messages.
        notebook: Restored.
        files: What lies beside it.
        seed: Seed of the grading run.
        bounds: Time limits.
        unsafe: Whether it runs without a sandbox.
        execution: An earlier execution that is only to be judged again.
        preload: Modules that a fork server loads once.
    """

    student: str
    notebook: NotebookNode
    files: dict[str, bytes]
    seed: int
    bounds: Bounds
    unsafe: bool = False
    execution: dict[str, Any] | None = None
    preload: tuple[str, ...] = ()


def work(job: Job) -> dict[str, Any]:
    """Runs and judges one notebook; returns `Graded` as JSON."""
    with _turn:
        if job.execution is not None:
            done = Execution.from_json(job.execution)
        else:
            with _source(job).prepared(job.files) as kernel:
                done = execute(job.notebook, job.seed, job.bounds, kernel)
        began = time.monotonic()
        torch.set_num_threads(1)  # there is a worker for each core
        graded = judge(job.notebook, done, job.seed)
        graded.execution.seconds["judge"] = time.monotonic() - began
        return graded.to_json()


def _source(job: Job) -> Kernels:
    """This process's source of kernels; made once, since a fork server takes seconds to load."""
    key = (job.unsafe, job.preload)
    if key not in _kernels:
        for old in _kernels.values():
            old.close()
        _kernels.clear()
        _kernels[key] = OpenKernels() if job.unsafe else ForkedKernels(job.preload)
    return _kernels[key]
