"""A cgroup scope of systemd around a sandbox: the kernel's own, exact limit on all its processes together.

The watch (`watch`) looks four times a second and says why it ends a submission; a burst can outrun it. A scope cannot
be outrun. It is asked for where systemd runs, tried once, and left out where its limit does not hold.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .sandbox import Limits

SPARE = 2 * 2**30  # bytes for the fork server itself, and so that the watch, which can say why, comes first
TASKS = 64  # processes and threads of the sandbox and the fork server
TRY_SECONDS = 10.0
# Prints the limit of the memory cgroup it is in: version 2, or version 1.
_TRY = """
for line in open("/proc/self/cgroup"):
    number, names, path = line.strip().split(":", 2)
    for file in (f"/sys/fs/cgroup{path}/memory.max", f"/sys/fs/cgroup/unified{path}/memory.max",
                 f"/sys/fs/cgroup/memory{path}/memory.limit_in_bytes"):
        if (names in ("", "memory")) and ".scope" in path:
            try: print(open(file).read().strip())
            except OSError: pass
"""


def total(limits: Limits) -> int:
    """Bytes that one sandbox may hold: its processes, its folders, and the fork server's."""
    return limits.total_memory + limits.folder + limits.shared_memory + SPARE


def around(command: Sequence[str], limits: Limits) -> list[str]:
    """The command in a scope of its own, or the command as it is where there can be none.

    Args:
        command: What starts the sandbox. Its process becomes the scope's first; file descriptors and signals stay.
        limits: What one sandbox may use.
    """
    return [*_prefix(limits), *command] if holds() else list(command)


def _prefix(limits: Limits) -> list[str]:
    wanted = {"MemoryMax": total(limits), "MemorySwapMax": 0, "TasksMax": limits.processes + TASKS}
    scope = ["systemd-run", "--scope", "--quiet", "--collect"]
    inner = ["env", "-i", f"PATH={os.environ.get('PATH', os.defpath)}"]  # bubblewrap's environment can be read inside
    if os.geteuid() != 0:
        scope.append("--user")
        scope = ["env", f"XDG_RUNTIME_DIR=/run/user/{os.geteuid()}", *scope]
    return [*scope, *(f"--property={name}={value}" for name, value in wanted.items()), "--", *inner]


@cache
def holds() -> bool:
    """Whether this machine gives scopes, and their limit of memory stands in the cgroup. Asked once."""
    if not Path("/run/systemd/system").is_dir() or not shutil.which("systemd-run"):
        return False
    limits = Limits()
    try:
        done = subprocess.run(
            [*_prefix(limits), sys.executable, "-I", "-c", _TRY], capture_output=True, text=True, timeout=TRY_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return str(total(limits)) in done.stdout.split()
