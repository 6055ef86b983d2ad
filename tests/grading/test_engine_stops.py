"""`tformer grade` when it is interrupted or a worker dies: nothing is lost, and it goes on where it stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, Future

import psutil
import pytest

from tests.grading.conftest import needs_sandbox
from tests.grading.here import Here, graded
from tests.grading.mini import ASSIGNMENT, MIX, ROOT
from tformer_course.grading import engine as engine_module
from tformer_course.grading.table import STATE, Row, recorded, remember, tidy

pytestmark = [pytest.mark.slow, needs_sandbox]


def test_worker_that_dies_costs_only_its_own_submission(course, kernels, monkeypatch):
    class Dying(Here):
        def submit(self, function, job):
            future = super().submit(function, job)
            if job.student == "bad" or (not Dying.alone and job.student == "carol"):
                future = Future()
                future.set_exception(BrokenExecutor())
            return future

    calls = []

    def executor(options):
        calls.append(1)
        Dying.alone = len(calls) > 1
        return Dying(kernels)

    monkeypatch.setattr(engine_module, "executor", executor)
    for student in ("alice", "bad", "carol"):
        course.hand_in(student, course.answered(mix=MIX, noise=f"# {student}"))
    status, said = graded(course)
    assert status == 1
    assert [line.split()[1] for line in said[:3]] == ["graded", "failed", "graded"]
    assert "died twice" in said[1] and course.marks("carol")["test_mix"] == 3.0


def test_what_is_remembered_survives_a_torn_line(tmp_path):
    remember(tmp_path, Row("a", "graded", 3, 7))
    with open(tmp_path / STATE, "a") as file:
        file.write('\n{"student": "b", "sta')
    remember(tmp_path, Row("c", "graded", 1, 7))
    remember(tmp_path, Row("a", "graded", 4, 7))
    assert {name: row.marks for name, row in recorded(tmp_path).items()} == {"a": 4, "c": 1}
    tidy(tmp_path, recorded(tmp_path))
    assert len((tmp_path / STATE).read_text().splitlines()) == 2 and recorded(tmp_path)["a"].marks == 4


COMMAND = [sys.executable, "-m", "tformer_course.cli", "grade", ASSIGNMENT, "--jobs", "2"]


@pytest.mark.proof
def test_interrupted_run_goes_on_where_it_stopped(course):
    """The command itself, with its own workers: stopped by Ctrl-C in the middle, then run again."""
    for i in range(5):
        wait = f"import time\ntime.sleep({4 if i else 0})"
        course.hand_in(f"s{i}", course.answered(all="right", noise=f"{wait}\n# {i}\n"))
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    state = course.root / "grading" / ASSIGNMENT / STATE
    running = subprocess.Popen(
        COMMAND,
        cwd=course.root,
        env=environment,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a background shell ignores it
    )
    until = time.monotonic() + 240
    while time.monotonic() < until and not (state.exists() and recorded(state.parent)):
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=120)
    assert running.returncode == 130 and b"Stopped" in said, said
    done = set(recorded(state.parent))
    assert done and len(done) < 5
    again = subprocess.run(COMMAND, cwd=course.root, env=environment, capture_output=True, text=True, timeout=300)
    assert again.returncode == 0, again.stdout + again.stderr
    lines = {line.split()[0]: line for line in again.stdout.splitlines() if line.startswith("s")}
    assert set(lines) == {f"s{i}" for i in range(5)}
    assert {s for s in lines if "as before" in lines[s]} == done, again.stdout
    assert "5/5" in again.stderr


def test_interrupt_while_nbgrader_records_stops_the_run(course, here, monkeypatch, capsys):
    from nbgrader.converters import Autograde

    def interrupted(self):
        raise KeyboardInterrupt

    course.hand_in("alice", course.answered(mix=MIX))
    monkeypatch.setattr(Autograde, "start", interrupted)
    assert graded(course)[0] == 130 and "run it again to go on" in capsys.readouterr().err
    monkeypatch.undo()
    assert recorded(course.root / "grading" / ASSIGNMENT) == {}


@pytest.mark.proof
def test_worker_that_is_killed_loses_nothing(course):
    """The command itself: one of its workers is killed in the middle; all are graded, each with its marks."""
    for i in range(6):
        course.hand_in(f"s{i}", course.answered(all="right", noise=f"import time\ntime.sleep(3)\n# {i}\n"))
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    running = subprocess.Popen(
        COMMAND, cwd=course.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    folder, until = course.root / "grading" / ASSIGNMENT, time.monotonic() + 240
    while time.monotonic() < until and not recorded(folder):
        time.sleep(0.1)
    workers = [p for p in psutil.Process(running.pid).children() if "spawn_main" in " ".join(p.cmdline())]
    workers[0].kill()
    out, said = running.communicate(timeout=400)
    assert running.returncode == 0, out + said
    assert [sum(course.marks(f"s{i}").values()) for i in range(6)] == [sum(course.marks("s0").values())] * 6
