"""The walls around a student's code: a bubblewrap command, and the question whether it holds on this machine.

Inside there is Python, this package and an empty folder; no network, no other process, no file of the course, of
other students or of the instructor. Linux only. docs/instructors.md says what is promised.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from . import seccomp

PACKAGE = Path(__file__).resolve().parents[1]
ASSETS = PACKAGE.parent / "assets"
FIRST_UID = 61000  # when root grades: one unprivileged uid per grading process
POLICY = "bwrap-2"  # part of the cache's names; to be raised when the walls change


class SandboxError(RuntimeError):
    """No sandbox here; the message says why, and what to do."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Bytes, seconds and counts."""

    address_space: int = 6 * 2**30
    data: int = 3 * 2**30
    total_memory: int = 4 * 2**30  # of all its processes together
    processes: int = 128  # threads count too
    file: int = 64 * 2**20
    open_files: int = 512
    folder: int = 256 * 2**20
    shared_memory: int = 128 * 2**20
    cpu: int = 1800

    def to_json(self) -> dict[str, int]:
        """As plain JSON. A torch with CUDA maps far more than it uses."""
        more = 10 * 2**30 if importlib.util.find_spec("nvidia") else 0
        return asdict(self) | {"address_space": self.address_space + more}


def views() -> list[Path]:
    """What can be seen inside, read-only: Python with its packages, this package, the files notebooks load."""
    wanted = [Path("/usr"), Path(sys.prefix), Path(sys.base_prefix), PACKAGE]
    wanted += [ASSETS / name for name in ("figures", "results", "weights")]
    kept: list[Path] = []
    for path in wanted:
        for candidate in (path, path.resolve()):
            if candidate.is_dir() and not any(candidate.is_relative_to(k) for k in kept):
                kept.append(candidate)
    return kept


def keep_out(course: Path) -> None:
    """Raises SandboxError where a course folder lies in what can be seen inside, its gradebook and answers with it."""
    course = course.resolve()
    for path in views():
        if course.is_relative_to(path.resolve()):
            raise SandboxError(f"the course lies in {path}, which students' code can read. Move it elsewhere.")


def _see(paths: Sequence[Path]) -> list[str]:
    """Options that show paths read-only, below folders that anyone may pass."""
    options, made = [], {Path("/")}
    for path in paths:
        for parent in reversed(path.parents):
            if parent not in made and not any(parent.is_relative_to(p) for p in paths):
                options += ["--perms", "0755", "--dir", str(parent)]
                made.add(parent)
        options += ["--ro-bind", str(path), str(path)]
    for name in ("lib", "lib64", "lib32", "bin", "sbin"):
        path = Path("/") / name
        if path.is_symlink():
            options += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            options += ["--ro-bind", str(path), str(path)]
    options += ["--perms", "0755", "--dir", "/etc"]
    for name in ("ld.so.cache", "fonts", "alternatives", "localtime"):
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return options


def environment() -> dict[str, str]:
    """All variables inside."""
    return {
        "PATH": f"{Path(sys.prefix) / 'bin'}:/usr/bin:/bin",
        "HOME": "/box",
        "USER": "student",
        "LOGNAME": "student",
        "LANG": "C.UTF-8",
        "TMPDIR": "/box/.tmp",
        "IPYTHONDIR": "/box/.ipython",
        "MPLCONFIGDIR": "/box/.matplotlib",
        "XDG_CACHE_HOME": "/box/.cache",
        "PYTHONSAFEPATH": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(PACKAGE.parent),
        # One thread each: the class is graded in parallel, and a forked kernel must not inherit a thread pool.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
    }


def command(inside: Sequence[str], limits: Limits, filter_fd: int | None = None, keep: Sequence[str] = ()) -> list[str]:
    """The command that runs `inside` in the sandbox.

    Args:
        inside: Command and arguments.
        limits: Sizes of its folders.
        filter_fd: Where the seccomp filter is read from; None leaves it to `inside`.
        keep: Capabilities inside its own user namespace, for a fork server that shuts itself in further.

    Returns:
        A command for `subprocess.Popen`, with the file descriptors in `pass_fds`.
    """
    seen = _see(views())
    walls = ["bwrap", "--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    walls += ["--unshare-cgroup-try", "--disable-userns", "--uid", "1000", "--gid", "1000", "--hostname", "sandbox"]
    walls += ["--cap-drop", "ALL"]
    for name in keep:
        walls += ["--cap-add", name]
    if filter_fd is not None:
        walls += ["--seccomp", str(filter_fd)]
    else:
        walls += ["--as-pid-1"]
    walls += ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in environment().items():
        walls += ["--setenv", name, value]
    walls += [*seen, "--proc", "/proc", "--dev", "/dev"]
    walls += ["--perms", "1777", "--size", str(limits.shared_memory), "--tmpfs", "/dev/shm"]
    walls += ["--perms", "0777", "--size", str(limits.folder), "--tmpfs", "/box"]
    if not any(path.is_relative_to("/tmp") for path in views()):
        walls += ["--symlink", "/box/.tmp", "/tmp"]
    walls += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/box", "--", *inside]
    return _as_nobody(seen) + walls if os.geteuid() == 0 else walls


def _as_nobody(seen: list[str]) -> list[str]:
    """When root grades: first a view that any uid may pass (root's own Python may lie in /root), then another uid.

    The sandbox proper is then made by that uid, by the same command that an ordinary user runs.
    """
    uid = str(FIRST_UID + os.getpid() % 4000)
    # A process namespace, because root without capabilities may not signal the other uid when it dies; with a /proc of
    # its own, in which bubblewrap finds its processes. `bwrap --proc` hides parts, and then inside there can be none.
    view = ["setpriv", "--pdeathsig=KILL", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    view += ["bwrap", "--die-with-parent", *seen, "--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc"]
    view += ["--perms", "1777", "--dir", "/tmp"]  # where bubblewrap builds its root; the course need not lie below it
    drop = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--inh-caps=-all", "--"]
    return [*view, "--remount-ro", "/", "--", *drop]


@contextlib.contextmanager
def filter_file() -> Iterator[int]:
    """A file descriptor with the seccomp filter, for one command."""
    with tempfile.TemporaryFile() as file:
        file.write(seccomp.program())
        file.seek(0)
        yield file.fileno()


@cache
def probe() -> None:
    """Raises SandboxError, with reason and fix, where a sandbox cannot be made; else returns. Asked once.

    It starts one and has it try: a sandbox that starts but does not hold is none.
    """
    if not sys.platform.startswith("linux"):
        raise SandboxError(
            f"the sandbox needs Linux, and this is {sys.platform}. Grade in a Linux virtual machine, in WSL 2 or on a"
            " server."
        )
    for tool in ("bwrap", "setpriv", "unshare") if os.geteuid() == 0 else ("bwrap",):
        if not shutil.which(tool):
            package = "bubblewrap" if tool == "bwrap" else "util-linux"
            raise SandboxError(f"{tool} is not installed. Install the package {package} of your distribution.")
    inside = [sys.executable, "-P", "-c", _TRY.format(home=str(Path.home()), package=str(PACKAGE.parent))]
    clean = {"PATH": os.environ.get("PATH", os.defpath)}
    try:
        with filter_file() as fd:
            line = command(inside, Limits(), fd)
            done = subprocess.run(line, pass_fds=[fd], capture_output=True, text=True, timeout=60, env=clean)
    except seccomp.SeccompError as error:
        raise SandboxError(str(error)) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"bubblewrap does not run: {error}") from None
    if done.returncode or done.stdout.strip() != "shut":
        raise SandboxError(_explain(done.stdout + done.stderr))


_TRY = """
import ctypes, os, socket, sys
open_ways = []
try:
    socket.create_connection(("192.0.2.1", 80), timeout=2); open_ways.append("network")
except OSError as error:
    if error.errno not in (101, 113): open_ways.append("network")
for path in ("{home}", "{package}"):
    try:
        open(os.path.join(path, ".tformer-probe"), "w"); open_ways.append("writing to " + path)
    except OSError: pass
if ctypes.CDLL(None).unshare(0x10000000) == 0: open_ways.append("user namespaces")
if len([p for p in os.listdir("/proc") if p.isdigit()]) > 4: open_ways.append("other processes")
print("shut" if not open_ways else "open: " + ", ".join(open_ways))
"""


def _explain(said: str) -> str:
    said = " ".join(said.split())[:300]
    if "open:" in said:
        return f"bubblewrap starts, but it is not tight here ({said})."
    if "uid map" in said or "Operation not permitted" in said or "No permissions to create new namespace" in said:
        fix = "Ubuntu 24.04 and newer need an AppArmor profile for bwrap, Debian 10 kernel.unprivileged_userns_clone=1"
        return f"the system lets no ordinary user make namespaces ({said}). {fix}; containers need leave to make them."
    if "disable-userns" in said or "Unknown option" in said:
        return f"bubblewrap is too old ({said}). Version 0.8 or newer is needed."
    return f"bubblewrap does not work here: {said or 'it says nothing'}"
