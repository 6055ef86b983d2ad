"""`tformer grade --scheduler`: the same engine on a Dask cluster; a worker that is killed loses and repeats nothing."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter

import pytest

from tests.grading.conftest import needs_sandbox
from tests.grading.mini import ASSIGNMENT
from tformer_course.grading.engine import Engine, Options

pytestmark = [pytest.mark.proof, needs_sandbox]
CLASS = 12


def test_one_of_three_workers_killed_midway(course):
    distributed = pytest.importorskip("distributed", reason="the extra grading-dask is not installed")
    for i in range(CLASS):
        course.hand_in(f"s{i:02}", course.answered(all="right", noise=f"import time\ntime.sleep(1)\n# {i}"))
    recorded: list[str] = []
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        said: list[str] = []
        engine = Engine(Options(ASSIGNMENT, root=course.root, scheduler=cluster.scheduler_address), said.append)
        once = engine._autograde
        engine._autograde = lambda student: recorded.append(student) or once(student)

        def kill_one() -> None:
            while len(recorded) < 3:
                time.sleep(0.1)
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        status = engine.run()
        killer.join(10)
        assert not killer.is_alive(), "a worker was killed while there was work"
        ends = Counter(step[0] for step in cluster.scheduler.transition_log if step[2] == "memory")
    assert status == 0, said
    assert sorted(recorded) == [f"s{i:02}" for i in range(CLASS)], "each is recorded once"
    # What the killed worker was running is run anew, and at most one result that it had not handed over yet.
    assert len(ends) == CLASS and sum(ends.values()) <= CLASS + 1, ends
    assert all("graded" in line for line in said[:CLASS])
    assert {sum(m for n, m in course.marks(s).items() if n.startswith("test_mix")) for s in recorded} == {3.0}
