"""Courses for the tests of grading."""

from __future__ import annotations

import pytest

from tests.grading.mini import Course


@pytest.fixture
def course(tmp_path):
    """A fresh mini course."""
    return Course(tmp_path / "course")


@pytest.fixture(scope="module")
def shared_course(tmp_path_factory):
    """A mini course for all tests of a module; students differ by name."""
    return Course(tmp_path_factory.mktemp("shared") / "course")
