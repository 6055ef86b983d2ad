"""docs/grader_report.md: what the tests accept and catch, exercise by exercise.

    python -m tests.reports.grader            compares the page with the answer bank
    python -m tests.reports.grader --write    grades the bank of all chapters (a quarter of an hour), writes the page

The page is compared by its counts of answers, which takes no grading: that each answer is treated as the page says is
what tests/answers/test_bank.py tests, answer by answer.
"""

from __future__ import annotations

import argparse
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import torch

from tests.answers.bank import answers, chapters, grade, named, points, solutions
from tformer_course.grading.course import available_cores

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "grader_report.md"
HEAD = """# What the graders accept and catch

Every exercise is graded on a bank of answers in `tests/answers/`: right ones, written differently from the solution,
must earn all points; wrong ones, each a mistake that students make, must lose some in a named test, and the visible
check should name the mistake. `python3 course.py bank` grades them all; so does every test run.
“Named” counts the wrong answers whose mistake the check names: at least 80 % in each exercise.
This page is made by `python -m tests.reports.grader --write`.
"""
COLUMNS = (
    "| exercise | points | right, accepted | wrong, caught | named | lowest loss |",
    "|---|-:|-:|-:|-:|-:|",
)


def row(chapter: str, exercise: str) -> list[str]:
    """One line of the table, each answer graded."""
    torch.set_num_threads(1)  # exercises are graded side by side
    bank = [a for a in answers(chapter) if a.exercise == exercise]
    total = sum(points(chapter, exercise).values())
    marks = {a: grade(chapter, exercise, a.source) for a in bank}
    earned = {a: sum(v.marks for v in g.outside.values()) for a, g in marks.items()}
    right, wrong = [a for a in bank if a.right], [a for a in bank if not a.right]
    accepted, caught = sum(earned[a] == total for a in right), sum(earned[a] < total for a in wrong)
    names = sum(named(a, marks[a]) for a in wrong)
    loss = min((total - earned[a]) / total for a in wrong)
    cells = [f"`{exercise}`", f"{total:g}", f"{accepted} of {len(right)}", f"{caught} of {len(wrong)}", str(names)]
    return [*cells, f"{loss:.0%}"]


def page() -> str:
    """The page as Markdown; grades everything, on all cores."""
    todo = [(chapter, exercise) for chapter in chapters() for exercise in solutions(chapter)]
    lines, sums, last = [], [0, 0, 0, 0, 0], ""
    with ProcessPoolExecutor(available_cores(), mp_context=get_context("spawn")) as pool:
        for (chapter, _), cells in zip(todo, pool.map(row, *zip(*todo, strict=True)), strict=True):
            if chapter != last:
                lines += ["", f"## {chapter}", "", *COLUMNS]
                last = chapter
            numbers = [int(n) for cell in cells[2:5] for n in re.findall(r"\d+", cell)]
            sums = [a + b for a, b in zip(sums, numbers, strict=True)]
            lines.append("| " + " | ".join(cells) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
    accepted, right, caught, wrong, names = sums
    said = (
        f"In all: {accepted} of {right} right answers accepted, {caught} of {wrong} wrong ones caught, {names} named."
    )
    return "\n".join([HEAD, said, *lines]) + "\n"


def counted(text: str) -> dict[str, tuple[int, int]]:
    """Right and wrong answers of each exercise, as the page says."""
    lines = re.findall(r"(?m)^\| `(\w+)` \| [\d.]+ \| \d+ of (\d+) \| \d+ of (\d+) \|", text)
    return {name: (int(right), int(wrong)) for name, right, wrong in lines}


def problems() -> list[str]:
    """Exercises whose counts on the page are not the bank's, and answers that it says were not treated rightly."""
    text = PAGE.read_text(encoding="utf-8")
    said, wrong = counted(text), []
    for chapter in chapters():
        bank = answers(chapter)
        for exercise in solutions(chapter):
            mine = [a.right for a in bank if a.exercise == exercise]
            if said.get(exercise) != (sum(mine), len(mine) - sum(mine)):
                wrong.append(f"{chapter}, {exercise}: the page says {said.get(exercise)}: write it anew")
    wrong += [f"not all: {m.group()}" for m in re.finditer(r"(\d+) of (\d+)", text) if m[1] != m[2]]
    return wrong


def main() -> int:
    """Compares or writes; returns the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8")
    wrong = problems()
    print("\n".join(wrong) or "docs/grader_report.md is up to date; all right ones accepted, all wrong ones caught.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
