"""The fork server is tried before it is used; where it does not work, kernels start one by one, for the same marks."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.grading.conftest import needs_sandbox
from tformer_course.grading import forkserver
from tformer_course.grading.cache import Cache
from tformer_course.grading.execute import grade
from tformer_course.grading.forkserver import ForkedKernels, ForkServer, ForkServerError
from tformer_course.grading.restore import restore
from tformer_course.grading.runner import Bounds
from tformer_course.grading.sandbox import Limits

pytestmark = [pytest.mark.slow, needs_sandbox]


def test_canary_that_does_not_come_back_means_no_fork_server(monkeypatch):
    monkeypatch.setattr(forkserver, "CANARY_SECONDS", 0.0)
    with pytest.raises(ForkServerError, match="a fork does not work"):
        ForkServer(["torch"], Limits())


def test_without_a_fork_server_marks_are_the_same(shared_course, master, monkeypatch):
    def fails(*given):
        raise ForkServerError("it hangs")

    monkeypatch.setattr(forkserver, "ForkServer", fails)
    notebook = restore(shared_course.answered(all="right"), master)
    kernels = ForkedKernels(["torch"])
    graded = grade(notebook, {}, 7, Bounds(), kernels, Cache(None))
    assert sum(v.marks for v in graded.verdicts.values()) == 7 and kernels.without == "it hangs"


def test_what_torch_loads_late_is_loaded_before_the_fork():
    """A gradient, an optimizer's step and a checkpoint load nothing more in a kernel, and the server has one thread."""
    text = """
import sys
from tformer_course.grading import zygote
assert zygote.preload(["torch", "torch.utils.checkpoint", "onnxruntime"]) == [], "a part of torch has another name now"
assert zygote.threads() == 1 and "onnxruntime" not in sys.modules
import torch
before = {name for name in sys.modules}
w = torch.ones(2, requires_grad=True)
optimizer = torch.optim.AdamW([w])
torch.utils.checkpoint.checkpoint(lambda x: (x * w).sum(), torch.ones(2), use_reentrant=False).backward()
optimizer.step()
late = {name for name in sys.modules if name not in before}
assert len(late) < 40, sorted(late)
"""
    inside = os.environ | {"OMP_NUM_THREADS": "1"}  # as in the sandbox
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=inside)
    assert done.returncode == 0, done.stderr[-2000:]
