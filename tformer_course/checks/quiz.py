"""A quiz that answers at once, without kernel, script or trust: each option is a fold that holds its own feedback."""

from __future__ import annotations

import html
import importlib
import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One answer to a question: its text, and why it is right or wrong."""

    text: str
    why: str


@dataclass(frozen=True)
class Question:
    """One question.

    Args:
        text: The question.
        options: The answers on offer, at least 3.
        right: Index of the right one, from 0.

    Raises:
        ValueError: For fewer than 3 options, an index outside them, or an option without a reason.
    """

    text: str
    options: Sequence[Option]
    right: int

    def __post_init__(self) -> None:
        if len(self.options) < 3:
            raise ValueError(f"{self.text!r} has {len(self.options)} options; at least 3 are needed")
        if not 0 <= self.right < len(self.options):
            raise ValueError(f"{self.text!r}: right is {self.right}, but there are {len(self.options)} options")
        if any(not option.why.strip() for option in self.options):
            raise ValueError(f"{self.text!r}: each option needs a reason")


def questions(chapter: str) -> list[Question]:
    """The questions of a chapter, e.g. of "attention".

    Raises:
        ValueError: Where the chapter has no quiz.
    """
    name = f"tformer_course.checks.quizzes.{chapter}"
    try:
        return list(importlib.import_module(name).QUESTIONS)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ValueError(f"there is no quiz for {chapter!r}") from error


def quiz_html(chapter: str) -> str:
    """The quiz as HTML, every text escaped; `code` between backticks is set as code."""
    return "".join(_question_html(number, q) for number, q in enumerate(questions(chapter), start=1))


def quiz(chapter: str) -> None:
    """Displays the quiz of a chapter. Click an option to read whether it is right, and why. It is not graded.

    Args:
        chapter: Name of the chapter, e.g. "attention".
    """
    from IPython.display import display

    plain = "\n\n".join(
        "\n".join(
            [f"{number}. {q.text}", *(f"   {letter}) {o.text}" for letter, o in zip("abcdef", q.options, strict=False))]
        )
        for number, q in enumerate(questions(chapter), start=1)
    )
    display({"text/html": quiz_html(chapter), "text/plain": plain}, raw=True)


def _question_html(number: int, question: Question) -> str:
    folds = "".join(
        f'<details style="margin:0.2em 0 0.2em 1.5em"><summary>{letter}) {_inline(option.text)}</summary>'
        f'<p style="margin:0.2em 0 0.6em 1.2em"><b>{"✓ Right." if i == question.right else "✗ Not this one."}</b> '
        f"{_inline(option.why)}</p></details>"
        for i, (letter, option) in enumerate(zip("abcdef", question.options, strict=False))
    )
    return f"<p><b>{number}.</b> {_inline(question.text)}</p>{folds}"


def _inline(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


__all__ = ["Option", "Question", "questions", "quiz", "quiz_html"]
