"""Hostile submissions: one small file each in attacks/, with the marks that they must earn.

The file's docstring says what it tries; then come `key: value` lines:
    cell     where its code goes: a cell of its own after the set-up ("own", the default) or after the first answer
             ("late"), or the answer of an exercise
    answers  "wrong" (the default) or "right": all other answers
    earns    marks of 7, or "any" where it can spoil its own marks
    says     part of a sentence that the student gets
    slow     "yes": run by `make proof` only
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from tests.grading.mini import COUNT, MIX, NOISE, Course

FOLDER = Path(__file__).with_name("attacks")
WRONG = {
    "mix": "def mix(q, k, v):\n    return torch.zeros(len(q), v.shape[-1], dtype=v.dtype) + 0 * q.sum()",
    "count_ones": "def count_ones(mask):\n    return 0",
    "noise": "def noise(n, seed):\n    return torch.zeros(n)",
}
RIGHT = {"mix": MIX, "count_ones": COUNT, "noise": NOISE}
SETTINGS = {"cell": "own", "answers": "wrong", "earns": "0", "says": "", "slow": ""}


@dataclass(frozen=True)
class Attack:
    """One file of the suite."""

    name: str
    code: str
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def slow(self) -> bool:
        return self.settings["slow"] == "yes"

    def notebook(self, course: Course, port: int = 0) -> NotebookNode:
        """The submission."""
        code = self.code.replace("COURSE_ROOT", str(course.root)).replace("HOST_PORT", str(port))
        answers = dict(RIGHT if self.settings["answers"] == "right" else WRONG)
        if self.settings["cell"] in answers:
            answers[self.settings["cell"]] = code
        notebook = course.answered(**answers)
        if self.settings["cell"] == "own":
            notebook.cells.insert(2, new_code_cell(code, id="attack"))
        if self.settings["cell"] == "late":
            at = next(i for i, c in enumerate(notebook.cells) if c.id == "test-mix")
            notebook.cells.insert(at, new_code_cell(code, id="attack"))
        return notebook


def attacks() -> list[Attack]:
    """All files, by name."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        code = path.read_text(encoding="utf-8")
        says = ast.get_docstring(ast.parse(code)) or ""
        settings = dict(re.findall(r"(?m)^(cell|answers|earns|says|slow): *(.+?) *$", says))
        found.append(Attack(path.stem, code, SETTINGS | settings))
    return found


class Page(HTMLParser):
    """Notes what on a page could act."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.active: list[str] = []
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = tag
        self.active += [f"{tag} {n}={v}" for n, v in attrs if n.startswith("on") or "javascript:" in (v or "")]
        self.active += [tag] if tag in {"iframe", "object", "embed"} else []

    def handle_data(self, data):
        if self.inside == "script" and "alert(1)" in data:
            self.active.append(data)

    def handle_endtag(self, tag):
        self.inside = ""
