"""The checks of chapter 06: the reference passes, and every known mistake is called by its own name."""

import time

import pytest
import torch

from tformer_course.checks.core.exercise import look
from tformer_course.checks.core.run import run
from tformer_course.checks.efficient_attention import EXERCISES

pytestmark = pytest.mark.slow  # every known mistake of the chapter: too long for `make check`

MISTAKES = [pytest.param(e, m, id=f"{e.name}-{m.id}") for e in EXERCISES for m in e.mistakes]


def unguarded(answer):
    """The same function as another object, so that the guard against the package's own solution lets it through."""
    code = type(answer)(answer.__code__, answer.__globals__, answer.__name__, answer.__defaults__, answer.__closure__)
    return code


def test_the_chapter_has_fourteen_exercises_and_18_points():
    assert len(EXERCISES) == 14 and sum(e.points for e in EXERCISES) == 18


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_the_reference_passes_in_less_than_a_second(exercise):
    run(lambda x: x * 2, [torch.ones(2)], grad=True)  # the first gradient of a process loads half of torch
    started = time.process_time()
    sign, says, _ = look(exercise, unguarded(exercise.reference))
    assert sign == "✓", says
    assert time.process_time() - started < 3  # 1 s on a quiet machine


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_an_untouched_stub_is_not_done_yet(exercise):
    def stub(*args, **kwargs):
        raise NotImplementedError("write your answer here")

    assert look(exercise, stub)[:2] == ("○", "not done yet")


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES)
def test_a_mistake_is_named_and_by_no_other_name(exercise, mistake):
    sign, says, _ = look(exercise, mistake.answer)
    assert (sign, says) == ("✗", mistake.says)


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES)
def test_a_sentence_ends_in_a_question_and_is_short(exercise, mistake):
    assert mistake.says.endswith("?") and len(mistake.says) < 260


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_ids_are_unique(exercise):
    ids = [m.id for m in exercise.mistakes]
    assert len(set(ids)) == len(ids)
