"""The checks of all chapters: the reference passes, and every known mistake is called by its own name."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest
import torch

from tformer_course.checks.core.exercise import Exercise, look
from tformer_course.checks.core.run import run

pytestmark = pytest.mark.slow  # every known mistake of a chapter: too long for `make check`


class Chapter(NamedTuple):
    """What a chapter promises, and how it is looked at."""

    exercises: int
    leaning: bool = False  # some of its mistakes are the reference with other arguments, or and a little more
    clock: Callable[[], float] = time.process_time


CHAPTERS = {
    "attention": Chapter(10, clock=time.perf_counter),
    "positions": Chapter(11, clock=time.perf_counter),
    "block": Chapter(14),
    "families": Chapter(12, leaning=True),
    "efficient_attention": Chapter(14),
    "mamba_moe": Chapter(12, leaning=True),
    "pretrain_finetune": Chapter(11),
    "rlhf_dpo": Chapter(10),
    "grpo": Chapter(7),
}
EXERCISES = {name: importlib.import_module(f"tformer_course.checks.{name}").EXERCISES for name in CHAPTERS}
EACH_EXERCISE = pytest.mark.parametrize(
    ("chapter", "exercise"), [pytest.param(c, e, id=f"{c}-{e.name}") for c, all_ in EXERCISES.items() for e in all_]
)
EACH_MISTAKE = pytest.mark.parametrize(
    ("chapter", "exercise", "mistake"),
    [
        pytest.param(c, e, m, id=f"{c}-{e.name}-{m.id}")
        for c, exercises in EXERCISES.items()
        for e in exercises
        for m in e.mistakes
    ],
)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_chapter_has_its_exercises_and_18_points(chapter):
    exercises = EXERCISES[chapter]
    assert len(exercises) == CHAPTERS[chapter].exercises and sum(e.points for e in exercises) == 18


@EACH_EXERCISE
def test_the_reference_passes_in_less_than_a_second(chapter, exercise, monkeypatch):
    monkeypatch.setattr(Exercise, "references", ())  # else the reference is refused as an answer
    if chapter == "efficient_attention":
        run(lambda x: x * 2, [torch.ones(2)], grad=True)  # the first gradient of a process loads half of torch
    if chapter == "mamba_moe":
        look(exercise, exercise.reference)  # what is imported on the first call does not count
    clock = CHAPTERS[chapter].clock
    started = clock()
    sign, says, _ = look(exercise, exercise.reference)
    assert sign == "✓", says
    assert clock() - started < 3  # 1 s on a quiet machine


@EACH_EXERCISE
def test_an_untouched_stub_is_not_done_yet(chapter, exercise):
    def stub(*args, **kwargs):
        raise NotImplementedError("write your answer here")

    assert look(exercise, stub)[:2] == ("○", "not done yet")


@EACH_MISTAKE
def test_a_mistake_is_named_and_by_no_other_name(chapter, exercise, mistake, monkeypatch):
    if CHAPTERS[chapter].leaning:
        monkeypatch.setattr(Exercise, "references", ())
    sign, says, _ = look(exercise, mistake.answer)
    assert (sign, says) == ("✗", mistake.says)


@EACH_MISTAKE
def test_a_sentence_ends_in_a_question_and_is_short(chapter, exercise, mistake):
    assert mistake.says.endswith("?") and len(mistake.says) < 260


@EACH_EXERCISE
def test_ids_are_unique(chapter, exercise):
    ids = [m.id for m in exercise.mistakes]
    assert len(set(ids)) == len(ids)


# the guard of chapter 01


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
