"""What a kernel that nobody trusts may say, and how much of it: nbclient and its kernel manager with narrow doors.

nbclient drives the kernel. Its handling of messages is replaced by a stricter one: no widgets, no updates of other
cells' outputs, every string checked, every byte counted. What a test cell prints is dropped; only its records count.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete
from nbformat import NotebookNode
from traitlets import default

from ..checks.core.records import MIME
from . import harmless

MESSAGE_BYTES = 32 * 2**20  # a larger message closes the connection before it is held in memory
QUEUED_MESSAGES = 10
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


class Client(NotebookClient):
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


def _size(tree: Any) -> int:
    """About how large a tree is, counted until it is too large."""
    size, rest = 0, [tree]
    while rest and size <= OUTPUT_BYTES:
        one = rest.pop()
        if isinstance(one, dict):
            size += 64 * len(one)
            rest += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            size += 64 * len(one)
            rest += one
        else:
            size += len(one) if isinstance(one, str) else 8
    return size


def _error(content: dict) -> str:
    name = harmless.text(content.get("ename", "Error"), 60)
    value = " ".join(harmless.text(content.get("evalue", ""), 300).split())
    return harmless.line(f"{name}: {value}")


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

    async def _async_wait(self, pollinterval: float = 0.1) -> None:
        await super()._async_wait(min(pollinterval, 0.01))

    def last_words(self) -> str:
        """What is known about why the kernel ended; empty where nothing is."""
        return ""

    def client(self, **kwargs: Any):
        """A client with the same bounds."""
        return super().client(context=self.context, **kwargs)
