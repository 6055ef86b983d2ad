"""Every hostile submission earns what its honest cells earn, and leaves the host as it was."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import tempfile
import threading
import time
from pathlib import Path

import nbformat
import psutil
import pytest

from tests.grading.hostile import attacks
from tformer_course.grading.cache import Cache
from tformer_course.grading.execute import grade, write
from tformer_course.grading.forkserver import ForkedKernels
from tformer_course.grading.harmless import FORBIDDEN
from tformer_course.grading.provisioner import SandboxedKernels
from tformer_course.grading.restore import restore
from tformer_course.grading.runner import Bounds
from tformer_course.grading.sandbox import PACKAGE, Limits

pytestmark = [
    pytest.mark.slow,
    pytest.mark.attack,
    # A watch that stops leaves a kernel without limits.
    pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning"),
]
SEED = 77
MARK = "tformer-was-here"
BOUNDS = Bounds(cell=90, notebook=180, start=120)


def parameters(*wanted: str):
    chosen = [a for a in attacks() if not wanted or a.name in wanted]
    return [pytest.param(a, id=a.name, marks=[pytest.mark.proof] if a.slow else []) for a in chosen]


@pytest.fixture(scope="module")
def listener():
    """A port of the host that nobody inside may reach."""
    server = socket.create_server(("127.0.0.1", 0))
    reached: list = []

    def accept() -> None:
        while True:
            try:
                reached.append(server.accept())
            except OSError:
                return

    threading.Thread(target=accept, daemon=True).start()
    yield server.getsockname()[1], reached
    server.close()


def snapshot(root: Path) -> dict[str, str]:
    """Every file of the course with its hash."""
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(root.rglob("*")) if p.is_file()}


def held_by(server: int) -> list[psutil.Process]:
    """Processes of the fork server but for the sandbox's own."""
    return [p for p in psutil.Process(server).children(recursive=True) if p.name() not in {"bwrap", "setpriv"}]


def left_behind(before: set[psutil.Process], server: int) -> list[psutil.Process]:
    """Processes of this one that are new and not the fork server's."""
    new = [p for p in set(psutil.Process().children(recursive=True)) - before if p.is_running()]
    inside = {server} | {p.pid for p in psutil.Process(server).children(recursive=True)} if server > 0 else set()
    return [p for p in new if p.pid not in inside]


@pytest.fixture(autouse=True)
def host_unchanged(shared_course, listener, kernels, monkeypatch):
    """What must hold after each attack, whatever it earned."""
    monkeypatch.setenv("SECRET_OF_THE_HOST", "SECRET_OF_THE_HOST")
    shared_course.hand_in("innocent", shared_course.released())
    before, mine = snapshot(shared_course.root), set(psutil.Process().children(recursive=True))
    shared_memory = set(os.listdir("/dev/shm"))
    yield
    assert snapshot(shared_course.root) == before, "files of the course changed"
    places = ("/tmp", "/var/tmp", "/dev/shm", "/", "/usr", Path.home(), Path.cwd(), PACKAGE, tempfile.gettempdir())
    assert not [p for p in places if (Path(p) / MARK).exists()], "a file was written"
    assert not {n for n in set(os.listdir("/dev/shm")) - shared_memory if "poison" in n}
    assert listener[1] == [], "the host was reached"
    server = kernels.server.process.pid if kernels.server else -1
    deadline = time.monotonic() + 15  # a kernel that was just told to end takes a moment to do so
    while (left := left_behind(mine, server)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == [], "processes were left behind"
    if server > 0:
        while len(inside := held_by(server)) > 1 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert len(inside) <= 1, f"the fork server holds more than itself: {inside}"


def run(attack, course, master, kernels, port=0, bounds=BOUNDS):
    notebook = restore(attack.notebook(course, port), master)
    graded = grade(notebook, {}, SEED, bounds, kernels, Cache(None))
    write(notebook, graded)
    nbformat.validate(notebook)
    nbformat.writes(notebook).encode("utf-8")
    return notebook, graded


def earned(graded) -> float:
    return sum(v.marks for v in graded.verdicts.values())


def check(attack, graded) -> None:
    said = [line for v in graded.verdicts.values() for line in v.lines]
    said += [r.says for r in graded.execution.cells] + [graded.execution.fate]
    assert graded.errors == [] and not graded.execution.infrastructure, graded.execution.fate
    if attack.settings["earns"] != "any":
        assert earned(graded) == float(attack.settings["earns"]), said
    assert any(attack.settings["says"] in text for text in said), said
    # An attack that can tell by itself whether it got through says so by one of these.
    assert not [r.says for r in graded.execution.cells if r.says.startswith(("AssertionError", "SystemExit"))]


@pytest.mark.parametrize("attack", parameters())
def test_attack_earns_what_its_honest_cells_earn(attack, shared_course, master, kernels, listener):
    bounds = Bounds(cell=4, notebook=60, start=120) if attack.slow else BOUNDS
    notebook, graded = run(attack, shared_course, master, kernels, listener[0], bounds)
    check(attack, graded)
    page = nbformat.writes(notebook)
    assert len(page) < 3_000_000
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            for kind, data in output.get("data", {}).items():
                assert kind in {"text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg"}
                if kind in {"text/html", "text/latex"}:
                    assert not FORBIDDEN.search(data) and not re.search(r"(?i)<[^>]*(onerror|javascript:)", data), data


def test_next_student_is_not_touched(shared_course, master, kernels):
    named = {a.name: a for a in attacks()}
    for name in ("package_poisoned", "leftovers_of_others"):
        _, graded = run(named[name], shared_course, master, kernels)
        assert earned(graded) == float(named[name].settings["earns"])


ALONE = ("host_files_read", "host_files_written", "network", "kernel_calls", "privileges", "fork_bomb", "limits_raised")


@pytest.mark.proof
@pytest.mark.parametrize("attack", parameters(*ALONE))
def test_plain_sandbox_holds_as_the_fork_server_does(attack, shared_course, master, listener):
    _, graded = run(attack, shared_course, master, SandboxedKernels(), listener[0])
    check(attack, graded)


def test_memory_of_all_processes_together_is_limited(shared_course, master):
    from tests.grading.hostile import SETTINGS, Attack

    code = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        held = bytearray(300 * 2**20)
        for i in range(0, len(held), 4096): held[i] = 1
        time.sleep(30); os._exit(0)
time.sleep(8)"""
    settings = SETTINGS | {"cell": "noise", "answers": "right"}
    small = ForkedKernels(["torch", "tformer_course.checks"], Limits(total_memory=1200 * 2**20))
    try:
        _, graded = run(Attack("memory", code, settings), shared_course, master, small)
    finally:
        small.close()
    assert earned(graded) == 5 and "GB of memory" in graded.execution.fate
