"""Runs a restored notebook in a kernel that nobody trusts, and says what came of every cell."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from queue import Empty
from typing import Any

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from . import harmless
from .messages import Client, KernelManager, Ran
from .restore import SKIP
from .rewrite import RewriteError, for_kernel


@dataclass
class Execution:
    """One run of a notebook. `fate` is empty, or one sentence on why not all of it ran."""

    cells: list[Ran]
    fate: str = ""
    infrastructure: bool = False  # the fault of the machine: worth another try, and not kept in the cache
    seconds: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)

    @classmethod
    def from_json(cls, tree: dict[str, Any]) -> Execution:
        """The inverse of `to_json`."""
        return cls(**{**tree, "cells": [Ran(**cell) for cell in tree["cells"]]})


@dataclass(frozen=True)
class Bounds:
    """How long things may take, in seconds."""

    cell: float = 180.0
    notebook: float = 900.0
    start: float = 120.0


def is_test(cell: NotebookNode) -> bool:
    """Whether a restored cell is an automatic test."""
    mark = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and bool(mark.get("grade")) and not mark.get("solution")


def sources(notebook: NotebookNode, seed: int) -> list[tuple[str, str]]:
    """What is sent to the kernel: for every cell its kind ("test", "own", "skip") and its source.

    A test cell that cannot be rewritten is not sent at all: its text would tell the student's code too much.
    """
    plan = []
    for cell in notebook.cells:
        if cell.cell_type != "code" or SKIP in cell.metadata.get("tags", []):
            plan.append(("skip", ""))
        elif is_test(cell):
            try:
                plan.append(("test", for_kernel(cell.source, seed)))
            except (RewriteError, SyntaxError, ValueError):
                plan.append(("skip", ""))
        else:
            plan.append(("own", cell.source))
    return plan


def execute(notebook: NotebookNode, seed: int, bounds: Bounds, kernel: Callable[[], KernelManager]) -> Execution:
    """Runs a restored notebook and says what came of every cell. It never raises for what a student's code does.

    Args:
        notebook: From `restore`. It is not changed.
        seed: Seed of the grading run.
        bounds: Time limits.
        kernel: Makes the kernel manager.
    """
    with harmless.patience():
        return asyncio.run(_execute(notebook, seed, bounds, kernel))


async def _execute(notebook: NotebookNode, seed: int, bounds: Bounds, kernel: Callable) -> Execution:
    plan = sources(notebook, seed)
    result = Execution([Ran("skipped") if kind == "skip" else Ran() for kind, _ in plan])
    if all(kind == "skip" for kind, _ in plan):
        return result
    began = time.monotonic()
    client, manager = None, kernel()
    try:
        try:
            client = _client(plan, bounds, manager)
            await client.async_start_new_kernel(**client.km.options)
            await _connect(client, bounds)
        except Exception as error:
            said = harmless.line(f"{error} {manager.last_words()}".strip())
            result.fate = f"the kernel did not start ({type(error).__name__}: {said})"
            result.infrastructure = True
            return result
        manager.started = True
        result.seconds["start"] = time.monotonic() - began
        client.deadline = time.monotonic() + bounds.notebook
        await _all_cells(client, plan, result, bounds)
        result.seconds["cells"] = time.monotonic() - began - result.seconds["start"]
        return result
    finally:
        before = time.monotonic()
        await _close(client)
        result.seconds["stop"] = time.monotonic() - before


async def _connect(client: Client, bounds: Bounds) -> None:
    """Waits for the kernel's first answer on both channels; jupyter_client's own way sleeps half a second longer."""
    client.kc = channels = client.km.client()
    channels.start_channels(stdin=False, hb=False)
    channels.allow_stdin = False
    until = time.monotonic() + bounds.start
    while time.monotonic() < until:
        channels.kernel_info()
        with contextlib.suppress(Empty):
            reply = await channels.shell_channel.get_msg(timeout=1)
            if reply["msg_type"] == "kernel_info_reply":
                await channels.iopub_channel.get_msg(timeout=0.5)
                return
        await client._async_check_alive()
    raise TimeoutError(f"no answer within {bounds.start:g} s")


def _client(plan: list[tuple[str, str]], bounds: Bounds, manager: KernelManager) -> Client:
    scratch = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for _, source in plan])
    client = Client(
        scratch,
        km=manager,
        timeout=int(bounds.cell),
        startup_timeout=int(bounds.start),
        allow_errors=True,
        interrupt_on_timeout=True,
        error_on_timeout={"ename": "Timeout", "evalue": "", "traceback": []},
        raise_on_iopub_timeout=True,
        iopub_timeout=30,  # a machine under load may be slow to deliver
        record_timing=False,
        coalesce_streams=False,
        shutdown_kernel="immediate",
        extra_arguments=["--HistoryManager.hist_file=:memory:"],
    )
    client.log.setLevel(logging.CRITICAL)
    client.deadline = time.monotonic() + bounds.start + bounds.notebook
    return client


async def _all_cells(client: Client, plan: list[tuple[str, str]], result: Execution, bounds: Bounds) -> None:
    """Runs the cells until all have run or the kernel can do no more; then the running cell counts as not run."""
    for i, (kind, _) in enumerate(plan):
        if kind == "skip":
            continue
        try:
            await _one_cell(client, i, kind, result.cells[i], bounds)
            continue
        except DeadKernelError:
            words = client.km.last_words() if client.km else ""
            result.fate = f"the kernel died in cell {i + 1}" + (f": {words}" if words else "")
        except CellTimeoutError:
            what = "could not be stopped" if client.timed_out else "puts out more than can be read"
            result.fate = f"cell {i + 1} {what}"
        except Exception as error:
            result.fate = f"the kernel's messages in cell {i + 1} could not be read ({type(error).__name__})"
        result.cells[i] = Ran(says=result.fate, outputs=result.cells[i].outputs)
        return


async def _one_cell(client: Client, i: int, kind: str, ran: Ran, bounds: Bounds) -> None:
    client.ran, client.kind, client.budget, client.timed_out = ran, kind, 0, False
    began = time.monotonic()
    if client.deadline <= began:
        ran.says = f"the notebook as a whole takes longer than {bounds.notebook:g} s"
        return
    ran.status = "ok"
    # Tests leave no trace in `In` and the history, where later cells could print them.
    await client.async_execute_cell(client.nb.cells[i], i, store_history=kind == "own")
    ran.seconds = round(time.monotonic() - began, 4)
    if client.timed_out:
        ran.status, ran.says = "error", f"the cell takes longer than {bounds.cell:g} s"
    if ran.status == "flood" or client.timed_out:
        # Nothing that comes from such a cell counts.
        ran.records.clear()
        ran.outputs.append({"output_type": "error", "ename": "Stopped", "evalue": ran.says, "traceback": [ran.says]})


async def _close(client: Client | None) -> None:
    """Kills the kernel at once; a sandbox dies with it."""
    if client is None or client.km is None:
        return
    context = client.km.context
    try:
        await asyncio.wait_for(client._async_cleanup_kernel(), 30)
    except Exception as error:
        client.log.debug("while stopping the kernel: %s", error)
    if not context.closed:
        context.destroy(linger=0)
