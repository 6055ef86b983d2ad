"""The fork server's inside: a sandboxed process that has imported everything once, and forks a kernel per submission.

It is the first process of its sandbox and never runs a student's code. A fork shuts itself in further before it
becomes a kernel: namespaces of its own, fresh folders, no capability, limits, the seccomp filter. One kernel at a
time; the next fork comes from the untouched parent.

Only imports happen before a fork: one multi-threaded operation of torch in the parent would make children hang.
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from typing import Any

from . import inside

NEW_MOUNTS, NEW_IPC, NEW_PIDS = 0x00020000, 0x08000000, 0x20000000
NO_SUID, NO_DEVICES, PRIVATE, RECURSIVE = 2, 4, 1 << 18, 1 << 14
DEATH_SIGNAL, DUMPABLE, DROP_BOUND, AMBIENT, NO_NEW_PRIVILEGES = 1, 4, 24, 47, 38
CAPABILITIES = ("CAP_SYS_ADMIN", "CAP_SETPCAP")
KERNEL_MODULES = ("ipykernel.kernelapp", "ipykernel.ipkernel", "IPython.core.interactiveshell", "jedi", "numpy")
# What loads a part of itself when it is first used, and then takes seconds in every kernel: name → modules of the part.
LOADED_LATE = {
    "torch": (
        "torch.fx.experimental.symbolic_shapes",  # by the first gradient
        "torch._dynamo",  # by the first optimizer, checkpoint or watched operation
        "matplotlib_inline.backend_inline",
    ),
    "onnxruntime": (  # by torch's first export
        "torch.export._trace",
        "torch._export.passes",
        "torch.export.pt2_archive._package",
        "torch.fx.experimental.validator",
        "sympy.combinatorics",
        "torch.onnx._internal.exporter._compat",
        "torch.onnx._internal.exporter._torchlib.ops",
        "onnxscript._framework_apis.torch_2_11",
        "onnxscript.rewriter.rules.fusion._rms_normalization",
    ),
}
THREADED = {"onnxruntime"}  # starts a thread when it is imported, and a process with two threads is not forked
libc = ctypes.CDLL(None, use_errno=True)


class ForkError(RuntimeError):
    """A step of shutting in failed; no kernel starts then."""


def _call(name: str, *given: Any) -> None:
    if getattr(libc, name)(*given):
        raise ForkError(f"{name} failed: {os.strerror(ctypes.get_errno())}")


def threads() -> int:
    """Threads of this process."""
    return len(os.listdir("/proc/self/task"))


def preload(modules: list[str]) -> list[str]:
    """Imports what kernels will import; returns what could not be imported, which a kernel then finds out itself."""
    failed = []
    modules = [*modules, *(part for name, parts in LOADED_LATE.items() if name in modules for part in parts)]
    if "tformer_course.checks" in modules:
        from tformer_course.checks.core.exercise import CHAPTERS

        modules = [*modules, *(f"tformer_course.checks.{chapter}" for chapter in CHAPTERS)]
    for name in [*KERNEL_MODULES, *modules]:
        if name.partition(".")[0] in THREADED:
            continue
        try:
            importlib.import_module(name)
        except Exception:
            # `package.name` may be a function; looking it up loads what a lazy package loads on access.
            parent, _, attribute = name.rpartition(".")
            try:
                getattr(sys.modules[parent], attribute)
            except Exception:
                failed.append(name)
    gc.collect()
    gc.freeze()  # the collector would otherwise touch, and so copy, every page in every child
    return failed


def drop_capabilities() -> None:
    """Gives up every capability for good."""
    for number in range(64):
        if libc.prctl(DROP_BOUND, number, 0, 0, 0):
            break
    libc.prctl(AMBIENT, 4, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())
    _call("prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def shut_in(request: dict[str, Any]) -> None:
    """Fresh folders, then limits and filter; afterwards this process can do what a student's code may do."""
    from . import seccomp

    _call("prctl", DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    _call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)
    for folder, key in ((b"/box", "folder"), (b"/dev/shm", "shared_memory")):
        size = f"size={request['limits'][key]},nr_inodes=20000,mode=0777".encode()
        _call("mount", b"tmpfs", folder, b"tmpfs", NO_SUID | NO_DEVICES, size)
    os.chdir("/box")
    drop_capabilities()
    inside.limit(request["limits"])
    seccomp.install(base64.b64decode(request["filter"]))
    # From here on its own /proc files belong to it again, as in any sandbox.
    _call("prctl", DUMPABLE, 1, 0, 0, 0)


def reseed() -> None:
    """Forks would otherwise all draw the same numbers."""
    if "torch" in sys.modules:
        sys.modules["torch"].seed()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed()


def canary() -> None:
    """What hangs where forking does not work: a product and its gradient."""
    if "torch" in sys.modules:
        torch = sys.modules["torch"]
        x = torch.ones(200, 200, requires_grad=True)
        (x @ x).tanh().sum().backward()


def become(request: dict[str, Any], sockets: dict[int, int]) -> None:
    """Becomes a kernel, or runs the canary. It never returns."""
    status = 1
    try:
        shut_in(request)
        reseed()
        if request["canary"]:
            canary()
        else:
            inside.write_files(request["files"])
            inside.kernel(request, sockets)
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def keep(request: dict[str, Any], sockets: dict[int, int], lifetime: int) -> None:
    """Holds one kernel: ends it when the grader closes `lifetime`, and reports its exit there. It never returns."""
    try:
        os.setsid()
        _call("unshare", NEW_MOUNTS | NEW_IPC | NEW_PIDS)
        kernel = os.fork()
        if kernel == 0:
            os.close(lifetime)
            os.setsid()  # a signal to its process group must not reach the keeper
            become(request, sockets)
        for fd in sockets.values():
            os.close(fd)
        watched = os.pidfd_open(kernel)
        ready, _, _ = select.select([watched, lifetime], [], [])
        if watched not in ready:
            os.kill(kernel, signal.SIGKILL)  # the first process of its namespace: all others go with it
        _, status = os.waitpid(kernel, 0)
        os.write(lifetime, f"{os.waitstatus_to_exitcode(status)}".encode())
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def serve(control: socket.socket) -> None:
    """Forks a kernel for each request, one at a time, until the grader goes away."""
    numbers = list(inside.PORTS.values())
    while True:
        message, fds, _, _ = socket.recv_fds(control, 16, 2 + len(numbers))
        if not message:
            return
        with os.fdopen(fds[0], "rb") as source:
            request = json.loads(source.read())
        lifetime, sockets = fds[1], dict(zip(numbers, fds[2:], strict=False))
        if threads() != 1:
            print("the fork server has more than one thread", file=sys.stderr)
            return
        keeper = os.fork()
        if keeper == 0:
            control.close()
            keep(request, sockets, lifetime)
        for fd in (lifetime, *sockets.values()):
            os.close(fd)
        os.waitpid(keeper, 0)
        with contextlib.suppress(ChildProcessError):  # what a keeper may have left to the first process
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def main() -> None:
    """Imports, says so, serves. The command line names the control socket's descriptor and the modules."""
    control = socket.socket(fileno=int(sys.argv[1]))
    failed = preload(json.loads(sys.argv[2]))
    # Children have the same uid; none may look into this process or its keepers.
    _call("prctl", DUMPABLE, 0, 0, 0, 0)
    control.send(json.dumps({"threads": threads(), "failed": failed}).encode())
    serve(control)


if __name__ == "__main__":
    main()
