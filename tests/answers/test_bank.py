"""The grader is proven by answers: the solution earns all, the stub nothing, each right variant all, each wrong one
loses marks in a named judgement and meets a hint that fits."""

from __future__ import annotations

import os

import pytest
import torch

from tests.answers.bank import answers, chapters, grade, named, points, solutions, stub

if "PYTEST_XDIST_WORKER" in os.environ:  # several of these side by side: one core each
    torch.set_num_threads(1)

EXERCISES = [(c, e) for c in chapters() for e in solutions(c)]
ANSWERS = [(c, a) for c in chapters() for a in answers(c)]
IDS = [f"{c}-{a.path.parent.name}-{a}" for c, a in ANSWERS]


def marks_outside(result) -> dict[str, float]:
    return {name: v.marks for name, v in result.outside.items()}


@pytest.mark.parametrize(("chapter", "exercise"), EXERCISES)
def test_solution_earns_every_point_in_both_ways(chapter, exercise):
    result = grade(chapter, exercise, solutions(chapter)[exercise])
    assert result.failed == []
    assert result.in_place == marks_outside(result) == points(chapter, exercise) != {}
    assert result.check[0] == "✓", result.check


@pytest.mark.parametrize(("chapter", "exercise"), EXERCISES)
def test_stub_earns_nothing_and_is_called_not_done(chapter, exercise):
    result = grade(chapter, exercise, stub(solutions(chapter)[exercise]))
    assert result.in_place == marks_outside(result) == dict.fromkeys(points(chapter, exercise), 0.0)
    assert result.check == ("○", "not done yet")


@pytest.mark.parametrize(("chapter", "answer"), ANSWERS, ids=IDS)
def test_answer_of_the_bank(chapter, answer):
    result = grade(chapter, answer.exercise, answer.source)
    assert result.in_place == marks_outside(result), "both ways give the same marks"
    if answer.right:
        assert result.failed == []
        assert result.check[0] == "✓", result.check
        return
    assert sum(result.in_place.values()) < sum(points(chapter, answer.exercise).values())
    assert answer.fails and any(answer.fails in line for line in result.failed), result.failed
    assert result.check[0] == "✗", result.check
    assert answer.mistake, "the docstring needs the line `mistake: …`"
    assert answer.mistake == "unnamed" or named(answer, result), result.check


@pytest.mark.parametrize(("chapter", "exercise"), EXERCISES)
def test_bank_is_wide_enough(chapter, exercise):
    mine = [a for c, a in ANSWERS if c == chapter and a.exercise == exercise]
    assert sum(a.right for a in mine) >= 2
    assert sum(not a.right for a in mine) >= 4
    wrong = [a for a in mine if not a.right]
    assert sum(a.mistake != "unnamed" for a in wrong) >= 0.8 * len(wrong), "at least 80 % of the wrong ones are named"
