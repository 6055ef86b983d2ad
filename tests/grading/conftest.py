"""Courses and kernels for the tests of grading."""

from __future__ import annotations

import shutil
import sys

import pytest

from tests.grading.mini import ASSIGNMENT, NOTEBOOK, Course

HAS_WALLS = sys.platform.startswith("linux") and shutil.which("bwrap")
needs_sandbox = pytest.mark.skipif(not HAS_WALLS, reason="there is no bubblewrap here")


@pytest.fixture
def course(tmp_path):
    """A fresh mini course."""
    return Course(tmp_path / "course")


@pytest.fixture(scope="module")
def shared_course(tmp_path_factory):
    """A mini course for all tests of a module; students differ by name."""
    return Course(tmp_path_factory.mktemp("shared") / "course")


@pytest.fixture(scope="module")
def master(shared_course):
    """That course's notebook, as graders load it."""
    from tformer_course.grading.restore import load_master

    source = shared_course.root / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    return load_master(f"sqlite:///{shared_course.root / 'gradebook.db'}", ASSIGNMENT, NOTEBOOK, source)


@pytest.fixture(scope="session")
def kernels():
    """Sandboxed kernels of one fork server, for all tests."""
    if not HAS_WALLS:
        pytest.skip("there is no bubblewrap here")
    from tformer_course.grading.forkserver import ForkedKernels

    source = ForkedKernels(["torch", "tformer_course.checks"])
    yield source
    source.close()


@pytest.fixture
def here(monkeypatch, kernels):
    """Grades in this process, and says what was sent to workers."""
    from tests.grading.here import Here
    from tformer_course.grading import engine, work

    monkeypatch.setattr(engine, "executor", lambda options: Here(kernels))
    monkeypatch.setattr(work, "_kernels", {})
    Here.sent = []
    return Here
