"""`Verify`: a graded judgement, written once and judged in one of two places.

In place (a student's Validate, plain nbgrader) each call compares at once. Under `tformer grade` the test cell is
rewritten (`tformer_course.grading.rewrite`): the student's process only records what the answer returned, and the
same cell is run again outside, where the recorded values meet the expected ones.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import os
import textwrap
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .compare import difference, gradient_difference
from .draw import Draw, seed_for
from .guards import ATTENTION_SHORT_CUTS
from .records import RecordError, emit, encode
from .run import NOT_DONE, Outcome, Recall, each_time, run, tensors_in

DEFAULT_SEED = 2017
LARGEST_KEPT = 2**18  # bytes of one outcome that is kept for the next submission


@dataclass
class Judging:
    """One run of a test cell outside the student's process.

    Args:
        seed: Seed of the grading run.
        outcomes: What the student's process recorded, by judgement; a missing name is a failed judgement.
        known: What oracles and known mistakes gave for this cell and seed; the next submission's judging uses it again.
    """

    seed: int
    outcomes: dict[str, Outcome]
    known: dict[tuple[str, ...], Outcome] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    marks: float = 0.0
    points: float = 0.0

    def recall(self, judgement: str, key: tuple[str, ...], call: Callable[[], Outcome]) -> Outcome:
        """An outcome that depends on the cell and the seed alone. Errors, which may be the clock's, are not kept."""
        key = (judgement, *key)
        if key in self.known:
            return self.known[key]
        found = call()
        size = sum(t.nbytes for t in tensors_in([found.value, found.gradients]))
        if not found.error and size <= LARGEST_KEPT:
            self.known[key] = found
        return found


_judging: contextvars.ContextVar[Judging | None] = contextvars.ContextVar("judging", default=None)


@contextlib.contextmanager
def judging(run_outside: Judging) -> Iterator[Judging]:
    """While the block runs, every Verify judges recorded outcomes instead of calling the answer."""
    token = _judging.set(run_outside)
    try:
        yield run_outside
    finally:
        _judging.reset(token)


class UnfinishedError(Exception):
    """Raised by `Verify.marks` under Validate, so that the student reads the sentences and no traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class Verify:
    """The judgements of one test cell.

    Args:
        exercise: Name of the exercise, e.g. "causal_mask".
        points: Points of the cell.
        record: Seed of the grading run; then calls only record. Set by the rewriting, never by hand.

    A cell has the form::

        verify = Verify("causal_mask", points=1)
        verify("one sentence on what must hold", lambda n: causal_mask(n), inputs=lambda draw: [draw.integer(5, 9)],
               expected=lambda n: torch.ones(n, n, dtype=torch.bool).tril())
        verify.marks()
    """

    def __init__(self, exercise: str, points: float, *, record: int | None = None) -> None:
        self.exercise, self.points, self.record = exercise, float(points), record
        self.outside = _judging.get()
        self.passed = self.total = 0.0
        self.lines: list[str] = []
        self.searches = 3  # an answer that resembles no known mistake three times is not searched for again
        if self.outside:
            self.outside.points = self.points

    def __call__(
        self,
        name: str,
        call: Callable,
        inputs: Callable[[Draw], Sequence[Any]] = lambda draw: [],
        expected: Callable | None = None,
        holds: Callable[..., bool | str] | None = None,
        *,
        grad: bool = False,
        tol: float | None = None,
        weight: float = 1.0,
        limit: float = 10.0,
        forbid: Sequence[str] = ATTENTION_SHORT_CUTS,
    ) -> None:
        """States one judgement.

        Args:
            name: What must hold, in a few words; unique in the cell. Students read it.
            call: Calls the answer; written as a lambda, so that a missing answer fails here and not before.
            inputs: Draws the arguments of `call`; the same seed draws the same ones in both places.
            expected: The right value, by an oracle that is not the answer's expression.
            holds: `holds(value, *inputs)` is True, or a sentence on what is off; for values without a single right one.
            grad: Whether gradients with respect to the floating-point inputs are compared too.
            tol: Relative and absolute tolerance; None takes the one of the dtype.
            weight: Share of the cell's points, against the other judgements.
            limit: Seconds that the call may take.
            forbid: Torch functions that are switched off meanwhile.
        """
        from .exercise import find

        exercise = find(self.exercise)
        references = exercise.references if exercise else ()
        seed = seed_for(self.record or (self.outside.seed if self.outside else DEFAULT_SEED), self.exercise, name)
        given = list(inputs(Draw(seed)))
        if self.outside:
            outcome = self.outside.outcomes.get(name) or Outcome(error="nothing was recorded for it")
        else:
            outcome = run(call, given, grad=grad, seed=seed, limit=limit, forbid=forbid, references=references)
        if self.record is not None:
            _publish(name, outcome)
            return
        recall = functools.partial(self.outside.recall, name) if self.outside else each_time
        settings = {"grad": grad, "tol": tol, "seed": seed, "recall": recall}
        says = judge(outcome, given, expected, holds, **settings)
        if says and expected and exercise and not (outcome.error or outcome.modified) and self.searches > 0:
            known = exercise.name_mistake(outcome, rebind(call, self.exercise), given, **settings)
            if known:
                says = known.says
                if self.outside:
                    self.outside.mistakes.append(known.id)
            else:
                self.searches -= 1
        self.total += weight
        self.passed += 0.0 if says else weight
        self.lines.append(f"✗ {name}: {says}" if says else f"✓ {name}")
        if not self.outside:
            print(self.lines[-1])

    def marks(self) -> float:
        """The cell's marks: a finite number between 0 and `points`. The last line of the cell.

        Raises:
            UnfinishedError: Under nbgrader's Validate only, where something is missing.
        """
        share = self.passed / self.total if self.total else 0.0
        earned = round(self.points * share, 4)
        if self.outside:
            self.outside.marks, self.outside.lines = earned, self.lines
        elif self.record is None and share < 1 and os.environ.get("NBGRADER_VALIDATING"):
            said = [f"{self.exercise}: {earned:g} of {self.points:g} points", *self.lines]
            # Validate cuts lines off at 80 characters.
            raise UnfinishedError("\n".join(textwrap.fill(line, 75, subsequent_indent="  ") for line in said))
        return earned


def judge(
    outcome: Outcome,
    given: Sequence[Any],
    expected: Callable | None,
    holds: Callable[..., bool | str] | None,
    *,
    grad: bool = False,
    tol: float | None = None,
    seed: int = 0,
    recall: Recall = each_time,
) -> str | None:
    """What is wrong with an outcome in one sentence, or None; the same function in place and outside."""
    if outcome.error:
        return outcome.error
    if outcome.modified:
        return "it changes its inputs; work on copies"
    if expected is not None:
        right = recall(("right",), functools.partial(run, expected, given, grad=grad, seed=seed, limit=60.0))
        if right.error:
            raise RuntimeError(f"the oracle of this judgement failed: {right.error}")
        says = difference(outcome.value, right.value, tol)
        if says is None and grad:
            says = gradient_difference(outcome.gradients, right.gradients, tol)
            says = says and f"the values are right, but {says}"
        if says:
            return says
    if holds is not None:
        # `holds` sees any value that an answer may return: an error in it is the answer's, not the grader's.
        try:
            verdict = holds(outcome.value, *given)
        except Exception as error:
            return f"your result cannot be used as it should ({type(error).__name__})"
        if verdict is not True:
            return verdict if isinstance(verdict, str) else "it does not hold"
    return None


def rebind(call: Callable, name: str) -> Callable[[Callable], Callable]:
    """A function that gives `call` with another answer in place of the global `name`."""

    def with_answer(answer: Callable) -> Callable:
        if getattr(call, "__name__", "") != "<lambda>":
            return answer
        return types.FunctionType(
            call.__code__, {**call.__globals__, name: answer}, name, call.__defaults__, call.__closure__
        )

    return with_answer


def _publish(name: str, outcome: Outcome) -> None:
    fields: dict[str, Any] = {"seconds": round(outcome.seconds, 4), "modified": outcome.modified}
    try:
        if outcome.error:
            fields["error"] = outcome.error
        else:
            fields["value"] = encode(outcome.value)
            if outcome.gradients is not None:
                fields["gradients"] = encode(outcome.gradients)
    except RecordError as error:
        fields = {"error": str(error)}
    emit(name, fields)


__all__ = ["DEFAULT_SEED", "NOT_DONE", "Judging", "UnfinishedError", "Verify", "judge", "judging", "rebind"]
