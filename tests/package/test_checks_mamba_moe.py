"""The checks of chapter 07: the reference passes, and every known mistake is called by its own name."""

import time

import pytest

from tformer_course.checks.core.exercise import Exercise, look
from tformer_course.checks.mamba_moe import EXERCISES

pytestmark = pytest.mark.slow  # every known mistake of the chapter: too long for `make check`

MISTAKES = [pytest.param(e, m, id=f"{e.name}-{m.id}") for e in EXERCISES for m in e.mistakes]


def test_the_chapter_has_twelve_exercises_and_18_points():
    assert len(EXERCISES) == 12 and sum(e.points for e in EXERCISES) == 18


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_the_reference_passes_in_less_than_a_second(exercise, monkeypatch):
    monkeypatch.setattr(Exercise, "references", ())  # else the reference is refused as an answer
    look(exercise, exercise.reference)  # what is imported on the first call does not count
    started = time.process_time()
    sign, says, _ = look(exercise, exercise.reference)
    assert sign == "✓", says
    assert time.process_time() - started < 3  # 1 s on a quiet machine


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_an_untouched_stub_is_not_done_yet(exercise):
    def stub(*args, **kwargs):
        raise NotImplementedError("write your answer here")

    assert look(exercise, stub)[:2] == ("○", "not done yet")


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES)
def test_a_mistake_is_named_and_by_no_other_name(exercise, mistake, monkeypatch):
    monkeypatch.setattr(Exercise, "references", ())  # some mistakes are the reference with other arguments
    sign, says, _ = look(exercise, mistake.answer)
    assert (sign, says) == ("✗", mistake.says)


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES)
def test_a_sentence_ends_in_a_question_and_is_short(exercise, mistake):
    assert mistake.says.endswith("?") and len(mistake.says) < 260


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_ids_are_unique(exercise):
    ids = [m.id for m in exercise.mistakes]
    assert len(set(ids)) == len(ids)
