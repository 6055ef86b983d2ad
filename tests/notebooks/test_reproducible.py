"""Run again, each notebook gives the outputs that are stored, and each answer its marks: with one thread and with two.

The outputs of tagged and of graded cells are stored; nbval runs a notebook anew and compares.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch

from tests.answers.bank import ROOT, answers, chapters, grade, solutions
from tformer_course.launch import NBVAL

pytestmark = [pytest.mark.slow, pytest.mark.proof]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("chapter", chapters())
def test_notebook_run_again_gives_the_stored_outputs(chapter, threads):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *NBVAL[:-1], f"solutions/{chapter}"]
    given = os.environ | {"OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.fixture
def all_threads_again():
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.mark.timeout(3600)  # some 250 answers a chapter, twice
@pytest.mark.parametrize("chapter", chapters())
def test_answers_earn_the_same_with_one_thread_and_with_two(chapter, all_threads_again):
    given = list(solutions(chapter).items())
    given += [(answer.exercise, answer.source) for answer in answers(chapter)]
    differ = []
    for exercise, source in given:
        marks = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            marks.append(grade(chapter, exercise, source).in_place)
        if marks[0] != marks[1]:
            differ.append((exercise, marks, source))
    assert differ == []
