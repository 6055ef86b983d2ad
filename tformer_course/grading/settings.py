"""What one grading run shares: its seed, its cache, the place where kernels run. No config file sets these."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import platform
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import sandbox
from .cache import Cache
from .kernels import Kernels, OpenKernels, sandboxed

PACKAGE = Path(__file__).resolve().parents[1]
_used: list[Kernels] = []


@dataclass
class Run:
    """The settings of an assignment's grading runs; they lie in grading/<assignment>/ of the course folder."""

    folder: Path
    seed: int
    cache: Cache


def of(course, assignment: str) -> Run:
    """The run settings of an assignment, with a seed that is drawn once and kept, so that regrades repeat.

    Args:
        course: nbgrader's `CourseDirectory`.
        assignment: Name of the assignment.
    """
    folder = Path(course.root) / "grading" / assignment
    folder.mkdir(parents=True, exist_ok=True)
    return Run(folder, _seed(folder / "seed"), Cache(folder / "cache"))


def _seed(path: Path) -> int:
    with contextlib.suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(f"{secrets.randbits(62) | 1}\n")
    return int(path.read_text())


def kernels(course: Path | None = None) -> Kernels:
    """Where this process starts kernels: the sandbox, unless `using` says otherwise.

    Args:
        course: The course folder, which must not lie where students' code could read it.

    Raises:
        sandbox.SandboxError: Where it does, and where there is no sandbox.
    """
    if not _used:
        _used.append(sandboxed())
    if course is not None and not isinstance(_used[-1], OpenKernels):
        sandbox.keep_out(course)
    return _used[-1]


@contextlib.contextmanager
def using(chosen: Kernels) -> Iterator[Kernels]:
    """Starts kernels elsewhere while the block runs. In code only: no config file can switch the sandbox off."""
    _used.append(chosen)
    try:
        yield chosen
    finally:
        _used.remove(chosen)


@cache
def fingerprint() -> str:
    """Names the software that executes: Python, the libraries that matter, and this package's own text."""
    digest = hashlib.sha256(platform.python_version().encode())
    for name in ("torch", "numpy", "ipykernel", "ipython", "nbclient", "transformers"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            digest.update(f"{name} {importlib.metadata.version(name)}".encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()
