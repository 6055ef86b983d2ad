"""An exercise's visible check: cases with right values, and the known mistakes that a wrong value is matched with."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from .compare import difference, gradient_difference
from .draw import Draw, seed_for
from .guards import ATTENTION_SHORT_CUTS
from .run import NOT_DONE, Outcome, Recall, each_time, run
from .verify import DEFAULT_SEED, judge

CHAPTERS = (
    "attention",
    "multi_head",
    "positions",
    "block",
    "families",
    "efficient_attention",
    "mamba_moe",
    "pretrain_finetune",
    "rlhf_dpo",
    "grpo",
)
_NAN_MARK = 54321.0  # no answer's own number


def _call_directly(answer: Callable, *inputs: Any) -> Any:
    return answer(*inputs)


@dataclass(frozen=True)
class Case:
    """One thing that a check looks at.

    Args:
        name: What it looks at, in one or two words.
        inputs: Draws the arguments.
        expected: The right value; None takes the exercise's reference.
        holds: `holds(value, *inputs)` is True or a sentence, where there is no single right value.
        call: `call(answer, *inputs)`; None calls the answer with the inputs.
        grad: Whether gradients are compared too.
        tol: Tolerance; None takes the one of the dtype.
        limit: Seconds that the answer may take.
    """

    name: str
    inputs: Callable[[Draw], Sequence[Any]]
    expected: Callable | None = None
    holds: Callable[..., bool | str] | None = None
    call: Callable = _call_directly
    grad: bool = False
    tol: float | None = None
    limit: float = 3.0


@dataclass(frozen=True)
class Mistake:
    """A known mistake.

    Args:
        id: Short name, also the file name in the answer bank after the exercise's.
        says: One sentence that names the mistake, and the next step, without the answer.
        answer: The wrong answer, with the exercise's signature.
    """

    id: str
    says: str
    answer: Callable


@dataclass(frozen=True)
class Exercise:
    """A graded exercise as the checks know it.

    Args:
        name: As in the notebook's grade_id.
        points: Automatic points, over all its test cells.
        reference: The package's own solution.
        cases: What the visible check looks at, in order.
        mistakes: Known mistakes, the likeliest first.
        forbid: Torch functions that are switched off while an answer runs.
        helpers: Further functions of the package that do the exercise's work, switched off too.
    """

    name: str
    points: float
    reference: Callable
    cases: tuple[Case, ...]
    mistakes: tuple[Mistake, ...] = ()
    forbid: tuple[str, ...] = ATTENTION_SHORT_CUTS
    helpers: tuple[Callable, ...] = ()

    @property
    def references(self) -> tuple[Callable, ...]:
        """What an answer may not call: the package's own solution, and the helpers that do its work."""
        return (self.reference, *self.helpers)

    def name_mistake(
        self,
        outcome: Outcome,
        with_answer: Callable[[Callable], Callable],
        given: Sequence[Any],
        *,
        grad: bool = False,
        tol: float | None = None,
        seed: int = 0,
        recall: Recall = each_time,
    ) -> Mistake | None:
        """The first known mistake that gives the same wrong outcome on the same inputs, or None.

        Where the values themselves are wrong and no mistake has the same gradients too (the answer detaches a maximum,
        say), the first with the same values.
        """
        alike = None
        for mistake in self.mistakes:
            call = functools.partial(run, with_answer(mistake.answer), given, seed=seed, limit=5.0)
            wrong = recall((mistake.id, "values"), call)
            if wrong.error or difference(_marked(outcome.value), _marked(wrong.value), tol):
                continue
            if grad:  # only now: gradients are the expensive part, and few mistakes come this far
                wrong = recall((mistake.id, "gradients"), functools.partial(call, grad=True))
                if gradient_difference(_marked(outcome.gradients), _marked(wrong.gradients), tol):
                    alike = alike or mistake
                    continue
            return mistake
        if alike:
            call = functools.partial(run, with_answer(self.reference), given, seed=seed, limit=5.0)
            right = recall(("reference", "values"), call)
            if right.error or difference(_marked(outcome.value), _marked(right.value), tol):
                return alike
        return None


def _marked(tree: Any) -> Any:
    """The same tree with a number for NaN, which never equals itself: NaN in the same places is the same mistake."""
    if isinstance(tree, Tensor):
        return torch.nan_to_num(tree, nan=_NAN_MARK, posinf=torch.inf, neginf=-torch.inf)
    if isinstance(tree, float) and math.isnan(tree):
        return _NAN_MARK
    if isinstance(tree, dict):
        return {k: _marked(v) for k, v in tree.items()}
    return [_marked(v) for v in tree] if isinstance(tree, list | tuple) else tree


def find(name: str) -> Exercise | None:
    """The exercise of that name, or None where no chapter has it."""
    for chapter in CHAPTERS:
        module = chapter_exercises(chapter)
        if name in module:
            return module[name]
    return None


def chapter_exercises(chapter: str) -> dict[str, Exercise]:
    """All exercises of a chapter, by name; empty where the chapter is not written yet."""
    try:
        module = importlib.import_module(f"tformer_course.checks.{chapter}")
    except ModuleNotFoundError as error:
        if error.name != f"tformer_course.checks.{chapter}":
            raise
        return {}
    return {e.name: e for e in module.EXERCISES}


_state: dict[str, str] = {}  # exercise → "✓", "✗" or "○", for the summary at the end of a notebook


def check(name: str, answer: Callable) -> None:
    """Looks at an answer and prints one sentence: right, not done yet, or which mistake it looks like.

    Args:
        name: Name of the exercise.
        answer: The student's function or class.
    """
    exercise = find(name)
    if exercise is None:
        raise ValueError(f"no exercise is called {name!r}")
    sign, says, printed = look(exercise, answer)
    _state[name] = sign
    print(f"{sign} {name}: {says}")
    if printed:
        print("— your own print:", printed.rstrip(), sep="\n")


def look(exercise: Exercise, answer: Callable) -> tuple[str, str, str]:
    """The verdict on an answer: its sign (✓ ✗ ○), a sentence, and what the answer itself printed."""
    if not callable(answer):
        return "✗", f"{exercise.name} should be a function or class, not a {type(answer).__name__}", ""
    printed = ""
    for done, case in enumerate(exercise.cases):
        seed = seed_for(DEFAULT_SEED, "check", exercise.name, case.name)
        given = list(case.inputs(Draw(seed)))

        def with_answer(function: Callable, case: Case = case) -> Callable:
            return lambda *inputs: case.call(function, *inputs)

        settings = {"grad": case.grad, "seed": seed}
        outcome = run(
            with_answer(answer),
            given,
            limit=case.limit,
            forbid=exercise.forbid,
            references=exercise.references,
            **settings,
        )
        printed = printed or outcome.printed
        if outcome.error == NOT_DONE:
            return "○", NOT_DONE, ""
        expected = case.expected or (None if case.holds else with_answer(exercise.reference))
        says = judge(outcome, given, expected, case.holds, tol=case.tol, **settings)
        if says is None:
            continue
        if not outcome.error and not outcome.modified:
            mistake = exercise.name_mistake(outcome, with_answer, given, tol=case.tol, **settings)
            if mistake:
                return "✗", mistake.says, printed
        right = f" ({done} of {len(exercise.cases)} right)" if done else ""
        return "✗", f"{case.name}: {says}{right}", printed
    names = ", ".join(case.name for case in exercise.cases)
    return "✓", f"{names} ({len(exercise.cases)} of {len(exercise.cases)})", printed


def summary(chapter: str) -> None:
    """Prints the points so far, by the visible checks that were run in this notebook; hidden tests may differ.

    Args:
        chapter: Name of the chapter, e.g. "attention".
    """
    exercises = chapter_exercises(chapter)
    so_far = sum(e.points for e in exercises.values() if _state.get(e.name) == "✓")
    for e in exercises.values():
        print(f"{_state.get(e.name, '○')} {e.name:<32} {e.points:>4g}")
    total = sum(e.points for e in exercises.values())
    print(f"{so_far:g} of {total:g} automatic points by the visible checks; the hidden tests decide.")
