"""The fork server is tried before it is used; where it does not work, kernels start one by one, for the same marks."""

from __future__ import annotations

import pytest

from tests.grading.conftest import needs_sandbox
from tests.grading.mini import ASSIGNMENT, NOTEBOOK
from tformer_course.grading import forkserver
from tformer_course.grading.cache import Cache
from tformer_course.grading.execute import grade
from tformer_course.grading.forkserver import ForkedKernels, ForkServer, ForkServerError
from tformer_course.grading.restore import load_master, restore
from tformer_course.grading.runner import Bounds
from tformer_course.grading.sandbox import Limits

pytestmark = [pytest.mark.slow, needs_sandbox]


def test_canary_that_does_not_come_back_means_no_fork_server():
    with pytest.raises(ForkServerError, match="a fork does not work"):
        ForkServer(["torch"], Limits(address_space=2**20))


def test_without_a_fork_server_marks_are_the_same(shared_course, monkeypatch):
    def fails(*given):
        raise ForkServerError("it hangs")

    monkeypatch.setattr(forkserver, "ForkServer", fails)
    source = shared_course.root / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    master = load_master(f"sqlite:///{shared_course.root / 'gradebook.db'}", ASSIGNMENT, NOTEBOOK, source)
    notebook = restore(shared_course.answered(all="right"), master)
    kernels = ForkedKernels(["torch"])
    graded = grade(notebook, {}, 7, Bounds(), kernels, Cache(None))
    assert sum(v.marks for v in graded.verdicts.values()) == 7 and kernels.without == "it hangs"
