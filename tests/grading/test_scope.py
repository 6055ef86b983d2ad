"""A scope of systemd around a sandbox: used where its limit really stands, left out where it does not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tests.grading.conftest import needs_sandbox
from tests.grading.hostile import SETTINGS, Attack
from tformer_course.grading import forkserver, scope
from tformer_course.grading.cache import Cache
from tformer_course.grading.execute import grade
from tformer_course.grading.forkserver import ForkedKernels
from tformer_course.grading.restore import restore
from tformer_course.grading.runner import Bounds
from tformer_course.grading.sandbox import Limits

BURST = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        held = bytearray(900 * 2**20)
        for i in range(0, len(held), 4096): held[i] = 1
        time.sleep(60); os._exit(0)
held = bytearray(900 * 2**20)
for i in range(0, len(held), 4096): held[i] = 1
time.sleep(20)
print("held it all")
"""
needs_scope = pytest.mark.skipif(not scope.holds(), reason="no systemd runs here, or its scopes limit nothing")


@pytest.fixture
def systemd(monkeypatch, tmp_path):
    """A machine that says it has systemd, with a `systemd-run` of our own in place of its own."""
    scope.holds.cache_clear()
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(Path, "is_dir", lambda self: True)
    monkeypatch.setattr(scope, "TRY_SECONDS", 2.0)

    def write(script: str) -> None:
        path = tmp_path / "systemd-run"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    yield write
    scope.holds.cache_clear()


@pytest.mark.parametrize(
    "script",
    [
        "echo 'Failed to connect to bus' >&2; exit 1",
        'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',  # runs the command and limits nothing
        "exec sleep 60",
        "exit 0",
    ],
)
def test_what_gives_no_limit_is_left_out(systemd, script):
    systemd(script)
    assert not scope.holds()
    assert scope.around(["bwrap", "true"], Limits()) == ["bwrap", "true"]


def test_a_limit_that_stands_is_used_and_nothing_of_the_environment_goes_in(systemd):
    systemd(f"echo max; echo {scope.total(Limits())}")
    assert scope.holds()
    command = scope.around(["bwrap", "true"], Limits())
    assert "--scope" in command and f"--property=MemoryMax={scope.total(Limits())}" in command
    at = command.index("--")
    assert command[at + 1 : at + 3] == ["env", "-i"] and command[at + 3].startswith("PATH=")
    assert command[-2:] == ["bwrap", "true"]


def test_without_systemd_there_is_none(monkeypatch):
    scope.holds.cache_clear()
    monkeypatch.setattr(Path, "is_dir", lambda self: False)
    assert not scope.holds()
    scope.holds.cache_clear()


@needs_sandbox
@needs_scope
def test_a_burst_that_the_watch_does_not_see_is_ended_by_the_system_and_the_server_goes_on(
    monkeypatch, shared_course, master
):
    monkeypatch.setattr(forkserver, "watch", lambda *given: None)
    kernels = ForkedKernels(["torch", "tformer_course.checks"], Limits(total_memory=2**29))

    def marks(notebook) -> tuple[float, str]:
        graded = grade(restore(notebook, master), {}, 7, Bounds(), kernels, Cache(None))
        return sum(v.marks for v in graded.verdicts.values()), graded.execution.fate

    try:
        burst = Attack("burst", BURST, SETTINGS | {"cell": "noise", "answers": "right"})
        earned, fate = marks(burst.notebook(shared_course, 0))
        server = kernels.server
        assert ".scope" in Path(f"/proc/{server.process.pid}/cgroup").read_text()
        assert earned == 5 and "died" in fate, fate
        assert marks(shared_course.answered(all="right"))[0] == 7
        assert kernels.server is server and server.alive and not kernels.without
    finally:
        kernels.close()
