"""Grades the answer bank: each answer is spliced into its notebook and judged in place and outside.

    python -m tests.answers.bank            the table of all chapters
    python -m tests.answers.bank attention  of one

An answer is the text of one solution cell, in `tests/answers/NN_topic/{right,wrong}/<exercise>__<what>.py`. Its
docstring says what it is; a wrong one also has the lines `mistake: <id or "unnamed">` and `fails: <part of the name
of a judgement>`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from unittest import mock

import nbformat
from nbformat import NotebookNode

from tformer_course.checks.core.exercise import find, look
from tformer_course.checks.core.verify import DEFAULT_SEED
from tformer_course.grading.judge import Verdict, read_records, verdict
from tformer_course.grading.rewrite import for_kernel

ROOT = Path(__file__).resolve().parents[2]
SEED = DEFAULT_SEED  # the seed in place: equal inputs, so that even a lucky wrong answer earns the same both ways


@dataclass(frozen=True)
class Answer:
    """One file of the bank."""

    path: Path
    exercise: str
    right: bool
    mistake: str = ""  # id of the mistake that the visible check must name
    fails: str = ""  # part of the name of a judgement that must fail

    @property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")

    def __str__(self) -> str:
        return self.path.stem


@dataclass
class Graded:
    """What one answer earned: marks by test cell, in place and outside, and the sentences of the judgements."""

    in_place: dict[str, float] = field(default_factory=dict)
    outside: dict[str, Verdict] = field(default_factory=dict)
    check: tuple[str, str] = ("", "")

    @property
    def failed(self) -> list[str]:
        return [line for v in self.outside.values() for line in v.lines if line.startswith("✗")]


def chapters() -> list[str]:
    """Folder names of the chapters that have a notebook, in order."""
    return sorted(p.parent.name for p in (ROOT / "solutions").glob("[01][0-9]_*/*.ipynb"))


@cache
def notebook(chapter: str) -> NotebookNode:
    """The solution notebook of a chapter folder; not to be changed."""
    (path,) = (ROOT / "solutions" / chapter).glob("*.ipynb")
    return nbformat.read(path, as_version=4)


def graded(cell: NotebookNode, key: str) -> bool:
    """Whether a cell is an automatic test cell (`key="grade"`) or a solution cell (`key="solution"`)."""
    return cell.cell_type == "code" and bool(cell.metadata.get("nbgrader", {}).get(key))


def cells_that_grade(chapter: str, exercise: str) -> dict[str, NotebookNode]:
    """The test cells of an exercise, by grade_id."""
    pattern = re.compile(rf"test_{re.escape(exercise)}(_\d+)?")
    cells = {c.metadata.nbgrader.grade_id: c for c in notebook(chapter).cells if graded(c, "grade")}
    return {name: c for name, c in cells.items() if pattern.fullmatch(name)}


def solutions(chapter: str) -> dict[str, str]:
    """Source of each solution cell, by exercise, in the notebook's order."""
    cells = [c for c in notebook(chapter).cells if graded(c, "solution") and not graded(c, "grade")]
    return {c.metadata.nbgrader.grade_id: c.source for c in cells}


def stub(source: str) -> str:
    """A solution cell as the release has it."""
    return re.sub(
        r"(?m)^( *)### BEGIN SOLUTION\n(?:.*\n)*?\1### END SOLUTION *\n?", r"\1raise NotImplementedError()\n", source
    )


def answers(chapter: str) -> list[Answer]:
    """All answers of a chapter folder."""
    found = []
    for path in sorted((ROOT / "tests" / "answers" / chapter).glob("*/*__*.py")):
        says = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        tags = dict(re.findall(r"(?m)^(mistake|fails): *(.+?) *$", says))
        found.append(Answer(path, path.stem.split("__")[0], path.parent.name == "right", **tags))
    return found


def execute(source: str, namespace: dict, name: str) -> object:
    """Runs a cell as a kernel does: the value of its last expression is returned."""
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    return eval(compile(ast.Expression(last.value), name, "eval"), namespace) if last else None


@contextlib.contextmanager
def recorded() -> Iterator[list[dict]]:
    """Collects what cells publish while no kernel is there to do it."""
    outputs: list[dict] = []

    def publish(data: dict) -> None:
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})

    with mock.patch("IPython.display.publish_display_data", publish):
        yield outputs


def grade(chapter: str, exercise: str, source: str, seed: int = SEED) -> Graded:
    """Marks of one solution cell's text, with no other answer in the notebook."""
    setup = next(c for c in notebook(chapter).cells if c.cell_type == "code")
    namespace: dict = {"__name__": "__main__"}
    result = Graded()
    with contextlib.redirect_stdout(io.StringIO()):
        execute(setup.source, namespace, f"<{chapter} setup>")
        execute(source, namespace, f"<answer {exercise}>")
        for name, cell in cells_that_grade(chapter, exercise).items():
            result.in_place[name] = float(execute(cell.source, namespace, f"<{name}>"))
            with recorded() as outputs:
                execute(for_kernel(cell.source, seed), namespace, f"<{name} for the kernel>")
            result.outside[name] = verdict(cell.source, read_records(outputs), seed)
        known = find(exercise)
        if known and exercise in namespace:
            result.check = look(known, namespace[exercise])[:2]
    return result


def points(chapter: str, exercise: str) -> dict[str, float]:
    """Points of each test cell of an exercise."""
    return {name: float(c.metadata.nbgrader.points) for name, c in cells_that_grade(chapter, exercise).items()}


def named(answer: Answer, result: Graded) -> bool:
    """Whether the visible check names the mistake of a wrong answer."""
    known = find(answer.exercise)
    says = {m.id: m.says for m in known.mistakes} if known else {}
    return answer.mistake in says and result.check[1].startswith(says[answer.mistake])


def table(wanted: list[str]) -> str:
    """One line per exercise: right answers accepted, wrong ones caught, mistakes named."""
    lines = [f"{'exercise':<32} {'points':>6} {'right':>7} {'wrong':>7} {'named':>7}"]
    for chapter in wanted:
        lines.append(chapter)
        bank = [(a, grade(chapter, a.exercise, a.source)) for a in answers(chapter)]
        for exercise in solutions(chapter):
            total = sum(points(chapter, exercise).values())
            mine = [(a, g) for a, g in bank if a.exercise == exercise]
            full = [sum(v.marks for v in g.outside.values()) == total for a, g in mine if a.right]
            lost = [sum(v.marks for v in g.outside.values()) < total for a, g in mine if not a.right]
            names = [named(a, g) for a, g in mine if not a.right and a.mistake != "unnamed"]
            counts = " ".join(f"{f'{sum(x)}/{len(x)}':>7}" for x in (full, lost, names))
            lines.append(f"  {exercise:<30} {total:>6g} {counts}")
    return "\n".join(lines)


def main() -> None:
    """Prints the table of the chapters named on the command line, or of all."""
    wanted = [c for c in chapters() if not sys.argv[1:] or c.split("_", 1)[1] in sys.argv[1:] or c in sys.argv[1:]]
    print(table(wanted))


if __name__ == "__main__":
    main()
