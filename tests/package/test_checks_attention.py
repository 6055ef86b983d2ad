"""The checks of chapter 01: the reference passes, and every known mistake is called by its own name."""

import time

import pytest
import torch

from tformer_course.checks.attention import EXERCISES
from tformer_course.checks.core.exercise import look

pytestmark = pytest.mark.slow  # every known mistake of the chapter: too long for `make check`

MISTAKES = [pytest.param(e, m, id=f"{e.name}-{m.id}") for e in EXERCISES for m in e.mistakes]


def unguarded(exercise):
    """The reference and its helpers as other objects, so that the guard against the package's own lets them through."""
    names = dict(exercise.reference.__globals__)
    for f in (*exercise.helpers, exercise.reference):
        names[f.__name__] = type(f)(f.__code__, names, f.__name__, f.__defaults__, f.__closure__)
    return names[exercise.reference.__name__]


def test_the_chapter_has_ten_exercises_and_18_points():
    assert len(EXERCISES) == 10 and sum(e.points for e in EXERCISES) == 18


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_the_reference_passes_in_less_than_a_second(exercise):
    started = time.perf_counter()
    sign, says, _ = look(exercise, unguarded(exercise))
    assert sign == "✓", says
    assert time.perf_counter() - started < 3  # 1 s on a quiet machine


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


def test_a_helper_of_the_package_is_no_short_cut():
    from tformer_course import models
    from tformer_course.checks.attention import SCALED_DOT_PRODUCT_ATTENTION

    def leans(q, k, v, mask=None):
        weights = models.masked_softmax(q @ k.mT / q.shape[-1] ** 0.5, mask)
        return weights @ v, weights

    sign, says, _ = look(SCALED_DOT_PRODUCT_ATTENTION, leans)
    assert sign == "✗" and "the package's own" in says


def test_a_dtype_that_torch_does_not_take_is_not_called_unfinished():
    from tformer_course.checks.attention import CAUSAL_MASK

    sign, says, _ = look(CAUSAL_MASK, lambda n: torch.ones(n, n, dtype=torch.bool).softmax(0))
    assert sign == "✗" and "not implemented for 'Bool'" in says
