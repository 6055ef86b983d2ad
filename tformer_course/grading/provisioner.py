"""Kernels in the sandbox, by a kernel provisioner of jupyter_client: it makes sockets, starts, watches and ends."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.provisioning import KernelProvisionerBase
from traitlets import Any as AnyTrait

from . import sandbox, scope
from .inside import PORTS
from .kernels import Kernels
from .messages import KernelManager
from .watch import watch


class Sandboxed:
    """One running sandbox with one kernel."""

    def __init__(self, process: subprocess.Popen, limits: sandbox.Limits) -> None:
        self.process, self.limits = process, limits
        self.reason = ""
        self.said = b""
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._watch, daemon=True).start()

    def poll(self) -> int | None:
        """None while it runs, else its exit status."""
        return self.process.poll()

    def kill(self) -> None:
        """Ends it with all its processes, which are in a namespace that dies with the first of them."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    def wait(self, seconds: float) -> int:
        """Waits for its end."""
        return self.process.wait(seconds)

    def _listen(self) -> None:
        """Keeps the first words on stderr, for start-up failures, and throws all others away."""
        with self.process.stderr as stream:
            while data := stream.read1(65536):
                self.said = (self.said + data)[:4000]

    def _watch(self) -> None:
        watch(self, self.process.pid, lambda process: False)


def launch(request: dict[str, Any], sockets: dict[int, socket.socket], limits: sandbox.Limits) -> Sandboxed:
    """Starts a kernel in a sandbox of its own.

    Args:
        request: See `inside.kernel`; with `files` and `limits`.
        sockets: Listening sockets by port number.
        limits: What it may use.
    """
    request = request | {"sockets": {port: s.fileno() for port, s in sockets.items()}}
    with tempfile.TemporaryFile() as source, sandbox.filter_file() as filter_fd:
        source.write(json.dumps(request).encode())
        source.seek(0)
        inside = [sys.executable, "-P", "-m", "tformer_course.grading.inside", str(source.fileno())]
        process = subprocess.Popen(
            scope.around(sandbox.command(inside, limits, filter_fd), limits),
            pass_fds=[source.fileno(), filter_fd, *(s.fileno() for s in sockets.values())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            # bubblewrap's own environment can be read inside (/proc/1/environ).
            env={"PATH": os.environ.get("PATH", os.defpath)},
            cwd="/",
        )
    return Sandboxed(process, limits)


class SandboxProvisioner(KernelProvisionerBase):
    """Starts kernels by a `start` function, over unix sockets that lie in a folder only the grader can see."""

    start: Callable[[dict[str, Any], dict[int, socket.socket]], Sandboxed] = AnyTrait()
    files: dict[str, bytes] = AnyTrait()
    limits = AnyTrait()
    running: Sandboxed | None = None
    last: Sandboxed | None = None
    folder: Path | None = None

    @property
    def has_process(self) -> bool:
        """Whether a kernel is held."""
        return self.running is not None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Makes the folder of the sockets, and tells the kernel manager where they are."""
        self.folder = Path(tempfile.mkdtemp(prefix="tf-"))  # short: a socket's path has at most 108 bytes
        manager = self.parent
        manager.transport, manager.ip = "ipc", str(self.folder / "k")
        manager.connection_file = str(self.folder / "kernel.json")
        for name, number in PORTS.items():
            setattr(manager, f"{name}_port", number)
        self.connection_info = manager.get_connection_info()
        self.arguments = kwargs.pop("extra_arguments", [])
        return await super().pre_launch(cmd=[], env={}, **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Opens the sockets and starts the kernel."""
        sockets = {}
        try:
            for number in PORTS.values():
                sockets[number] = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                sockets[number].bind(f"{self.folder / 'k'}-{number}")
                sockets[number].listen(16)
            request = {
                "address": str(self.folder / "k"),
                "key": self.parent.session.key.decode(),
                "arguments": list(self.arguments),
                "files": {name: base64.b64encode(data).decode() for name, data in self.files.items()},
                "limits": self.limits.to_json(),
            }
            self.running = self.last = self.start(request, sockets)
        finally:
            for one in sockets.values():
                one.close()
        return self.connection_info

    async def poll(self) -> int | None:
        """None while the kernel runs."""
        return self.running.poll() if self.running else 0

    async def wait(self) -> int | None:
        """Waits for the end of a kernel that was killed."""
        running, self.running = self.running, None
        return running.wait(10) if running else 0

    async def send_signal(self, signum: int) -> None:
        """Signals end the sandbox; interrupts come as messages (see the kernel spec)."""
        if self.running and signum in {signal.SIGKILL, signal.SIGTERM}:
            self.running.kill()

    async def kill(self, restart: bool = False) -> None:
        """Ends the sandbox."""
        await self.send_signal(signal.SIGKILL)

    async def terminate(self, restart: bool = False) -> None:
        """Ends the sandbox."""
        await self.send_signal(signal.SIGKILL)

    async def cleanup(self, restart: bool = False) -> None:
        """Removes the folder of the sockets."""
        if self.folder and not restart:
            shutil.rmtree(self.folder, ignore_errors=True)


class SandboxedManager(KernelManager):
    """A kernel manager with a sandbox, without a kernel spec on disk."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """A spec that is complete in itself."""
        return KernelSpec(argv=[], display_name="sandboxed", language="python", interrupt_mode="message")

    def last_words(self) -> str:
        """Why the sandbox was ended by its own watch, or what it said on stderr when it did not start."""
        last = self.provisioner.last if self.provisioner else None
        if last is None or last.reason or self.started:
            return last.reason if last else ""
        return last.said.decode("utf-8", "replace")[-500:]


class SandboxedKernels(Kernels):
    """Each kernel in a sandbox of its own.

    Raises:
        sandbox.SandboxError: Where there can be none; then nothing runs.
    """

    name = sandbox.POLICY

    def __init__(self, limits: sandbox.Limits | None = None) -> None:
        sandbox.probe()
        self.limits = limits or sandbox.Limits()

    def start(self, request: dict[str, Any], sockets: dict[int, socket.socket]) -> Sandboxed:
        """Starts one kernel."""
        return launch(request, sockets, self.limits)

    @contextlib.contextmanager
    def prepared(self, files: dict[str, bytes]) -> Iterator[Callable[[], KernelManager]]:
        """Kernels that find the files in /box."""

        def kernel() -> KernelManager:
            manager = SandboxedManager(kernel_name="sandboxed")
            manager.provisioner = SandboxProvisioner(
                parent=manager,
                kernel_id="sandboxed",
                kernel_spec=manager.kernel_spec,
                start=self.start,
                files=files,
                limits=self.limits,
            )
            return manager

        yield kernel
