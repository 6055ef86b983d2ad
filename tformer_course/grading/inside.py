"""What runs inside the sandbox before any of a student's code: limits, files, then ipykernel on inherited sockets.

The sockets were made outside and are inherited, so the sandbox shares no folder with the host that could be filled or
watched. Nothing here is trusted once a cell has run.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

PORTS = {"shell": 1, "iopub": 2, "stdin": 3, "hb": 4, "control": 5}
FOLDER = Path("/box")


def limit(limits: dict[str, int]) -> None:
    """Sets hard limits on this process and all that it starts."""
    for kind, amount in (
        (resource.RLIMIT_AS, limits["address_space"]),
        (resource.RLIMIT_DATA, limits["data"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CPU, limits["cpu"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        resource.setrlimit(kind, (amount, amount))


def go_first() -> None:
    """Where memory runs out, the kernel of the system ends this process before the grader and the fork server."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def write_files(files: dict[str, str], folder: Path = FOLDER) -> None:
    """Lays out what lies beside the notebook. Names were checked by intake."""
    for name in (".tmp", ".ipython", ".matplotlib", ".cache"):
        (folder / name).mkdir(exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(data))


def kernel(request: dict[str, Any], sockets: dict[int, int]) -> None:
    """Becomes an ipykernel; returns when it ends.

    Args:
        request: `key`, `address` and `arguments` of the kernel.
        sockets: Listening sockets by port number.
    """
    import zmq
    from ipykernel.kernelapp import IPKernelApp
    from traitlets.config import Config

    bind = zmq.Socket.bind

    def bind_inherited(self, address: str):
        if str(address).startswith(f"ipc://{request['address']}-"):
            self.setsockopt(zmq.USE_FD, sockets[int(address.rsplit("-", 1)[1])])
        return bind(self, address)

    go_first()
    zmq.Socket.bind = bind_inherited
    ports = {f"{name}_port": number for name, number in PORTS.items()}
    app = IPKernelApp.instance(
        config=Config({"Session": {"key": request["key"].encode()}}),
        transport="ipc",
        ip=request["address"],
        connection_file=str(FOLDER / ".tmp" / "kernel.json"),
        **ports,
    )
    app.initialize(request["arguments"])
    app.start()


def main() -> None:
    """A kernel of its own sandbox: reads the request from the file descriptor that is named on the command line."""
    with os.fdopen(int(sys.argv[1]), "rb") as source:
        request = json.loads(source.read())
    limit(request["limits"])
    write_files(request["files"])
    kernel(request, {int(port): fd for port, fd in request["sockets"].items()})


if __name__ == "__main__":
    main()
