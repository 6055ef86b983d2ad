"""Where a student's code runs: in a sandbox, or, only when someone asks for it by name, in the open."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from .messages import KernelManager


class Kernels:
    """A source of kernels; `name` is part of what names an execution in the cache."""

    name = ""

    @contextlib.contextmanager
    def prepared(self, files: dict[str, bytes]) -> Iterator[Callable[[], KernelManager]]:
        """Gives a maker of kernels that find `files` in their folder."""
        raise NotImplementedError
        yield

    def close(self) -> None:
        """Ends what was started."""


class OpenKernels(Kernels):
    """Kernels without any protection: they run as whoever grades. For `--unsafe-no-sandbox` and tests only."""

    name = "unsafe"

    @contextlib.contextmanager
    def prepared(self, files: dict[str, bytes]) -> Iterator[Callable[[], KernelManager]]:
        """Kernels in a temporary folder."""
        with tempfile.TemporaryDirectory(prefix="tformer-open-") as folder:
            for name, data in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)

            def kernel() -> KernelManager:
                manager = KernelManager(kernel_name="python3")
                # The same surroundings as in the sandbox: one thread, no display, not the folder's own modules.
                extra = {"OMP_NUM_THREADS": "1", "MPLBACKEND": "agg", "PYTHONSAFEPATH": "1"}
                manager.options = {"cwd": folder, "env": dict(os.environ) | extra}
                return manager

            yield kernel


def sandboxed() -> Kernels:
    """The sandbox of this machine; raises where there is none."""
    from .provisioner import SandboxedKernels

    return SandboxedKernels()
