"""What one submission does to the machine costs the submissions beside it nothing."""

from __future__ import annotations

import threading
import time

import pytest

from tests.grading.conftest import needs_sandbox
from tests.grading.hostile import SETTINGS, Attack
from tformer_course.grading.cache import Cache
from tformer_course.grading.execute import grade
from tformer_course.grading.forkserver import ForkedKernels
from tformer_course.grading.restore import restore
from tformer_course.grading.runner import Bounds

pytestmark = [pytest.mark.proof, needs_sandbox]

# Forty busy processes in forty sessions: Linux shares processors among sessions. They are small, or the watch on memory
# would end them first.
GREEDY = """import subprocess, time
for _ in range(40):
    subprocess.Popen(["sh", "-c", "while :; do :; done"], start_new_session=True)
time.sleep(100)"""
# Four seconds of work, of ten that a call may take.
SLOW = """def mix(q, k, v):
    import time
    until = time.process_time() + 4
    while time.process_time() < until: pass
    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, -1) @ v"""


def test_busy_processes_stand_back_for_the_neighbour(shared_course, master):
    honest = shared_course.answered(mix=SLOW)
    greedy = Attack("greedy", GREEDY, dict(SETTINGS)).notebook(shared_course)
    kernels = [ForkedKernels(["torch", "tformer_course.checks"]) for _ in range(2)]
    found: dict[str, float] = {}

    def run(name: str, notebook, source: ForkedKernels) -> None:
        began = time.monotonic()
        graded = grade(restore(notebook, master), {}, 7, Bounds(cell=110, notebook=300), source, Cache(None))
        found[name] = graded.verdicts["test_mix"].marks
        found[f"{name} seconds"] = time.monotonic() - began

    try:
        for one in kernels:  # their imports are no part of this
            run("warm", shared_course.answered(), one)
        beside = threading.Thread(target=run, args=("greedy", greedy, kernels[0]))
        beside.start()
        time.sleep(3)
        run("honest", honest, kernels[1])
        assert beside.is_alive(), f"they ran side by side: {found}"
        assert found["honest"] == 3.0, found
    finally:
        for one in kernels:
            one.close()
        beside.join(60)
