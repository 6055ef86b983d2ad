"""Runs a restored notebook in a kernel that nobody trusts, and keeps what the kernel says within bounds.

nbclient drives the kernel. Its handling of messages is replaced by a stricter one: no widgets, no updates of other
cells' outputs, every string checked, every byte counted. What a test cell prints is dropped; only its records count.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import nbformat
import zmq
import zmq.asyncio
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from traitlets import default

from ..checks.core.records import MIME
from . import harmless
from .restore import SKIP
from .rewrite import RewriteError, for_kernel

MESSAGE_BYTES = 32 * 2**20  # a larger message closes the connection before it is held in memory
QUEUED_MESSAGES = 100
CELL_BYTES = 48 * 2**20  # of all records of a test cell
OUTPUT_BYTES = 4 * 2**20  # of what an ordinary cell shows
NOTEBOOK_BYTES = 32 * 2**20


@dataclass
class Ran:
    """What came of one cell.

    `status` is "ok", "error", "skipped", "flood", or "not run"; `says` is one sentence where it is not "ok".
    """

    status: str = "not run"
    says: str = ""
    outputs: list[dict[str, Any]] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    seconds: float = 0.0


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


class _Client(NotebookClient):
    """nbclient, with its own eyes closed to what could reach beyond the running cell."""

    budget = 0
    ran: Ran
    kind = "own"
    deadline = 0.0
    total = 0
    timed_out = False

    def process_message(self, msg: dict, cell: NotebookNode, cell_index: int) -> None:
        """Takes one message of the kernel; whatever is malformed in it is ignored."""
        content, kind = msg.get("content"), msg.get("msg_type")
        if not isinstance(content, dict):
            return
        if kind == "status":
            if content.get("execution_state") == "idle":
                raise CellExecutionComplete()
            return
        if self.ran.status == "flood":
            return
        if self.kind == "test":
            self._take_record(kind, content)
        else:
            self._take_output(kind, content)

    def _count(self, size: int, limit: int) -> None:
        self.budget += size
        self.total += size
        if self.budget > limit or self.total > NOTEBOOK_BYTES + CELL_BYTES:
            self.ran.status = "flood"
            self.ran.says = "it puts out more than can be kept"

    def _take_record(self, kind: str, content: dict) -> None:
        bundle = content.get("data")
        text = bundle.get(MIME) if kind == "display_data" and isinstance(bundle, dict) else None
        if kind == "error":
            self.ran.says = _error(content)
        if isinstance(text, str):
            self._count(len(text), CELL_BYTES)
            if self.ran.status != "flood":
                self.ran.records.append(text)

    def _take_output(self, kind: str, content: dict) -> None:
        if kind == "clear_output":
            self.ran.outputs.clear()
        elif kind == "stream" and isinstance(content.get("text"), str):
            self._count(len(content["text"]), OUTPUT_BYTES)
            name = "stderr" if content.get("name") == "stderr" else "stdout"
            last = self.ran.outputs[-1] if self.ran.outputs else {}
            if last.get("name") == name and len(last["text"]) < harmless.MAX_TEXT:
                last["text"] = harmless.text(last["text"] + content["text"])
            elif last.get("name") != name:
                self._add({"output_type": "stream", "name": name, "text": harmless.text(content["text"])})
        elif kind in {"display_data", "execute_result"}:
            bundle = content.get("data")
            self._count(_size(bundle), OUTPUT_BYTES)
            if self.ran.status != "flood":
                shown = {"output_type": kind, "data": harmless.data(bundle), "metadata": {}}
                self._add(shown | ({"execution_count": None} if kind == "execute_result" else {}))
        elif kind == "error":
            self.ran.status, self.ran.says = "error", _error(content)
            lines = content.get("traceback")
            trace = [harmless.text(line, 4000) for line in lines[:40]] if isinstance(lines, list) else []
            name, _, value = self.ran.says.partition(": ")
            self._add({"output_type": "error", "ename": name, "evalue": value, "traceback": trace or [self.ran.says]})

    def _add(self, output: dict) -> None:
        if len(self.ran.outputs) < harmless.MAX_OUTPUTS:
            self.ran.outputs.append(output)

    def _get_timeout(self, cell: NotebookNode | None) -> float | None:
        """The cell's limit, or what is left of the notebook's."""
        left = self.deadline - time.monotonic()
        return max(0.5, min(float(self.timeout), left))

    async def _async_handle_timeout(self, timeout: float, cell: NotebookNode | None = None) -> dict | None:
        self.timed_out = True
        return await super()._async_handle_timeout(timeout, cell)


def _size(tree: Any, depth: int = 0) -> int:
    if depth > 20:
        return OUTPUT_BYTES
    if isinstance(tree, dict):
        return sum(_size(k, depth + 1) + _size(v, depth + 1) for k, v in tree.items())
    if isinstance(tree, list):
        return sum(_size(v, depth + 1) for v in tree)
    return len(tree) if isinstance(tree, str) else 8


def _error(content: dict) -> str:
    name = harmless.text(content.get("ename", "Error"), 60)
    value = " ".join(harmless.text(content.get("evalue", ""), 300).split())
    return "".join(c if c.isprintable() else " " for c in f"{name}: {value}")


class KernelManager(AsyncKernelManager):
    """A kernel manager whose sockets refuse huge messages and hold few of them."""

    options: dict[str, Any] = {}  # of start_kernel
    started = False  # whether it has answered once; from then on its words are the student's

    @default("context")
    def _bounded_context(self) -> zmq.asyncio.Context:
        context = zmq.asyncio.Context()
        context.setsockopt(zmq.MAXMSGSIZE, MESSAGE_BYTES)
        context.setsockopt(zmq.RCVHWM, QUEUED_MESSAGES)
        return context

    def last_words(self) -> str:
        """What is known about why the kernel ended; empty where nothing is."""
        return ""

    def client(self, **kwargs: Any):
        """A client with the same bounds."""
        return super().client(context=self.context, **kwargs)


def execute(notebook: NotebookNode, seed: int, bounds: Bounds, kernel: Callable[[], KernelManager]) -> Execution:
    """Runs a restored notebook and says what came of every cell. It never raises for what a student's code does.

    Args:
        notebook: From `restore`. It is not changed.
        seed: Seed of the grading run.
        bounds: Time limits.
        kernel: Makes the kernel manager.
    """
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
            await client.async_start_new_kernel_client()
        except Exception as error:
            said = harmless.text(f"{error} {manager.last_words()}".strip(), 600)
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


def _client(plan: list[tuple[str, str]], bounds: Bounds, manager: KernelManager) -> _Client:
    scratch = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for _, source in plan])
    client = _Client(
        scratch,
        km=manager,
        timeout=int(bounds.cell),
        startup_timeout=int(bounds.start),
        allow_errors=True,
        interrupt_on_timeout=True,
        error_on_timeout={"ename": "Timeout", "evalue": "", "traceback": []},
        raise_on_iopub_timeout=True,
        iopub_timeout=4,
        record_timing=False,
        coalesce_streams=False,
        shutdown_kernel="immediate",
        extra_arguments=["--HistoryManager.hist_file=:memory:"],
    )
    client.log.setLevel(logging.CRITICAL)
    client.deadline = time.monotonic() + bounds.start + bounds.notebook
    return client


async def _all_cells(client: _Client, plan: list[tuple[str, str]], result: Execution, bounds: Bounds) -> None:
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


async def _one_cell(client: _Client, i: int, kind: str, ran: Ran, bounds: Bounds) -> None:
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


async def _close(client: _Client | None) -> None:
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
