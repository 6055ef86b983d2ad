"""Kernels from a fork server: imports are paid once per worker and not once per submission.

The server is tried with a canary before it is used. Where it does not work, each kernel gets a sandbox of its own
with its own imports, which is slower and otherwise the same.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from typing import Any

import psutil

from . import sandbox, scope, seccomp
from .provisioner import SandboxedKernels, launch
from .watch import below, resident, watch
from .zygote import CAPABILITIES

LOAD_SECONDS = 180.0
CANARY_SECONDS = 30.0


class ForkServerError(RuntimeError):
    """The fork server cannot be used here."""


class Forked:
    """One kernel of a fork server, seen from outside; the same interface as `provisioner.Sandboxed`."""

    def __init__(self, server: ForkServer, lifetime: socket.socket, limits: sandbox.Limits) -> None:
        self.server, self.lifetime, self.limits = server, lifetime, limits
        self.status: int | None = None
        self.reason = ""
        self.lock = threading.Lock()
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def said(self) -> bytes:
        """What the server has said on stderr."""
        return self.server.said

    def poll(self, wait: float = 0.0) -> int | None:
        """None while the kernel runs, else its exit status."""
        with self.lock:
            if self.status is None:
                ready, _, _ = select.select([self.lifetime], [], [], wait)
                if ready:
                    text = b""
                    with contextlib.suppress(OSError):
                        text = self.lifetime.recv(16)
                    self.status = int(text) if text.lstrip(b"-").isdigit() else -9
                    self.lifetime.close()
            return self.status

    def kill(self) -> None:
        """Ends the kernel with all its processes."""
        with contextlib.suppress(OSError), self.lock:
            self.lifetime.shutdown(socket.SHUT_WR)

    def wait(self, seconds: float) -> int:
        """Waits for its end; a server that does not end it is ended itself."""
        status = self.poll(seconds)
        if status is None:
            self.server.close()
            status = -9
        return status

    def _watch(self) -> None:
        watch(self, self.server.process.pid, self.server.owns, self.server.own_memory)


class ForkServer:
    """A sandboxed process with everything imported.

    Args:
        modules: What to import.
        limits: What one kernel may use.

    Raises:
        ForkServerError: Where it does not start, or the canary does not come back.
    """

    def __init__(self, modules: Sequence[str], limits: sandbox.Limits) -> None:
        self.limits, self.said = limits, b""
        self.filter = base64.b64encode(seccomp.program()).decode()
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        inside = [sys.executable, "-P", "-m", "tformer_course.grading.zygote", str(theirs.fileno())]
        with theirs:
            self.process = subprocess.Popen(
                scope.around(sandbox.command([*inside, json.dumps(list(modules))], limits, keep=CAPABILITIES), limits),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                cwd="/",
            )
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._try()
        except BaseException:
            self.close()
            raise

    def _try(self) -> None:
        ready, _, _ = select.select([self.control], [], [], LOAD_SECONDS)
        answer = self.control.recv(65536) if ready else b""
        if not answer:
            time.sleep(0.2)
            raise ForkServerError(f"it does not start: {self.said.decode('utf-8', 'replace')[-500:]}")
        loaded = json.loads(answer)
        if loaded["threads"] != 1:
            raise ForkServerError(f"its imports have started {loaded['threads'] - 1} threads, which a fork would lose")
        processes = below(self.process.pid)
        self.own, parents = {p.pid for p in processes}, {p.ppid() for p in processes}
        self.inner = next(iter(self.own - parents), self.process.pid)
        self.own_memory = resident(processes)
        tried = self.fork({"canary": True, "files": {}, "limits": self.limits.to_json()}, {})
        status = tried.poll(CANARY_SECONDS)
        if status != 0:
            raise ForkServerError(f"a fork does not work ({status}): {self.said.decode('utf-8', 'replace')[-500:]}")

    def fork(self, request: dict[str, Any], sockets: dict[int, socket.socket]) -> Forked:
        """A kernel from a fork; see `provisioner.launch`."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with tempfile.TemporaryFile() as source, theirs:
            source.write(json.dumps({"canary": False} | request | {"filter": self.filter}).encode())
            source.seek(0)
            fds = [source.fileno(), theirs.fileno(), *(s.fileno() for s in sockets.values())]
            socket.send_fds(self.control, [b"fork"], fds)
        return Forked(self, ours, self.limits)

    def owns(self, process: psutil.Process) -> bool:
        """Whether a process below is the sandbox's, the server's, or holds a kernel, and so runs no student's code."""
        return process.pid in self.own or process.ppid() == self.inner

    @property
    def alive(self) -> bool:
        """Whether it can still fork."""
        return self.process.poll() is None

    def close(self) -> None:
        """Ends the server with all that came of it."""
        self.control.close()
        self.process.kill()
        self.process.wait()

    def _listen(self) -> None:
        with self.process.stderr as stream:
            while data := stream.read1(65536):
                self.said = (self.said + data)[-4000:]


class ForkedKernels(SandboxedKernels):
    """Kernels of a fork server, or sandboxes one by one where there can be no fork server.

    Args:
        modules: What the server imports.
        limits: What one kernel may use.
    """

    def __init__(self, modules: Sequence[str], limits: sandbox.Limits | None = None) -> None:
        super().__init__(limits)
        self.modules = modules
        self.server: ForkServer | None = None
        self.without = ""  # why there is no fork server

    def start(self, request: dict[str, Any], sockets: dict[int, socket.socket]):
        """Starts one kernel."""
        if not self.without and (self.server is None or not self.server.alive):
            try:
                self.server = ForkServer(self.modules, self.limits)
            except (ForkServerError, OSError, ValueError) as error:
                self.without = str(error)
        if self.without:
            return launch(request, sockets, self.limits)
        return self.server.fork(request, sockets)

    def close(self) -> None:
        """Ends the server."""
        if self.server is not None:
            self.server.close()
            self.server = None
