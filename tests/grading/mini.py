"""A small course for the tests of grading: three exercises, demos, a written answer, in a folder of its own."""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENT, NOTEBOOK = "00_mini", "mini"

MIX = """def mix(q, k, v):
    ### BEGIN SOLUTION
    return torch.softmax(q @ k.T / q.shape[-1] ** 0.5, -1) @ v
    ### END SOLUTION"""
COUNT = """def count_ones(mask):
    ### BEGIN SOLUTION
    return int(mask.sum())
    ### END SOLUTION"""
NOISE = """def noise(n, seed):
    ### BEGIN SOLUTION
    return torch.randn(n, generator=torch.Generator().manual_seed(seed))
    ### END SOLUTION"""

TEST_MIX = '''"""Weighted means with gradients."""
import math
import torch
from tformer_course.checks import Verify

verify = Verify("mix", points=3)
verify("a visible case", lambda q, k, v: mix(q, k, v),
       inputs=lambda draw: [draw.normal(2, 4), draw.normal(3, 4), draw.normal(3, 5)],
       expected=lambda q, k, v: torch.softmax(q @ k.T / math.sqrt(4), -1) @ v, grad=True)
### BEGIN HIDDEN TESTS
def slow_oracle(q, k, v):
    rows = []
    for one in q:
        weights = torch.stack([(one * other).sum() * 0.5 for other in k]).exp()
        rows.append((weights[:, None] * v).sum(0) / weights.sum())
    return torch.stack(rows)
for n in (2, 5):
    verify(f"{n} keys", lambda q, k, v: mix(q, k, v),
           inputs=lambda draw: [draw.normal(2, 4), draw.normal(n, 4), draw.normal(n, 5)], expected=slow_oracle)
### END HIDDEN TESTS
verify.marks()'''
TEST_COUNT = '''"""How many are True."""
import torch
from tformer_course.checks import Verify

verify = Verify("count_ones", points=2)
verify("a small mask", lambda mask: count_ones(mask), inputs=lambda draw: [draw.mask(3, 4)],
       expected=lambda mask: len(mask.nonzero()))
### BEGIN HIDDEN TESTS
verify("a large mask", lambda mask: count_ones(mask), inputs=lambda draw: [draw.mask(30, 41, keep=0.3)],
       expected=lambda mask: len(mask.nonzero()))
### END HIDDEN TESTS
verify.marks()'''
TEST_NOISE = '''"""Standard normal numbers."""
import torch
from tformer_course.checks import Verify

verify = Verify("noise", points=2)
verify("mean and spread", lambda seed: noise(4000, seed), inputs=lambda draw: [draw.integer(1, 10**6)],
       holds=lambda out, seed: bool(abs(out.mean()) < 0.12 and 0.85 < out.std() < 1.15) or "not standard normal")
verify.marks()'''
WRITTEN = """Because the sum would grow.

### BEGIN MARK SCHEME
2 points: names the variance. 1 point: says that scores grow.
### END MARK SCHEME"""
POINTS = {"test_mix": 3.0, "test_count_ones": 2.0, "test_noise": 2.0}


def _known(cell: NotebookNode, name: str, **flags) -> NotebookNode:
    mark = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3, "grade_id": name}
    cell.metadata["nbgrader"] = mark | flags
    cell["id"] = name.replace("_", "-")
    return cell


def solution(name: str, source: str) -> NotebookNode:
    return _known(new_code_cell(source), name, solution=True)


def test(name: str, source: str) -> NotebookNode:
    return _known(new_code_cell(source), name, grade=True, locked=True, points=int(POINTS[name]))


def master() -> NotebookNode:
    """The course's notebook."""
    demo = new_code_cell("import time; time.sleep(30)", id="a-demo", metadata={"tags": ["demo"]})
    cells = [
        new_markdown_cell("# Mini\n\nThe course's own <details><summary>hint</summary></details>", id="top"),
        new_code_cell("import torch", id="setup"),
        solution("mix", MIX),
        test("test_mix", TEST_MIX),
        demo,
        solution("count_ones", COUNT),
        test("test_count_ones", TEST_COUNT),
        solution("noise", NOISE),
        test("test_noise", TEST_NOISE),
        _known(new_markdown_cell(WRITTEN), "written_mini", grade=True, solution=True, points=2),
    ]
    notebook = new_notebook(cells=cells)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return notebook


_made: list[Path] = []


class Course:
    """A course folder with an nbgrader config of the checkout; students hand in by writing into submitted/."""

    def __init__(self, root: Path, **files: str) -> None:
        self.root = root
        if str(Path(sys.executable).parent) not in os.environ["PATH"].split(os.pathsep):
            os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        if not files and _made:
            shutil.copytree(_made[0], root)  # making one takes seconds: nbgrader asks alembic for versions
            return
        source = root / "solutions" / ASSIGNMENT
        source.mkdir(parents=True)
        nbformat.write(master(), source / f"{NOTEBOOK}.ipynb")
        for name, text in files.items():
            (source / name.replace("__", ".")).write_text(text)
        shutil.copy(ROOT / "nbgrader_config.py", root)
        made = self.api().generate_assignment(ASSIGNMENT)
        assert made["success"], made
        if not files:
            _made.append(Path(tempfile.mkdtemp(prefix="mini-course-")) / "course")
            shutil.copytree(root, _made[0])
            atexit.register(shutil.rmtree, _made[0].parent, True)

    def config(self):
        from traitlets.config import PyFileConfigLoader

        config = PyFileConfigLoader("nbgrader_config.py", path=str(self.root)).load_config()
        config.CourseDirectory.root = str(self.root)
        config.Exchange.root = str(self.root / "exchange")
        return config

    def api(self):
        from nbgrader.apps import NbGraderAPI
        from nbgrader.coursedir import CourseDirectory

        config = self.config()
        here = os.getcwd()
        try:
            return NbGraderAPI(CourseDirectory(config=config), config=config)
        finally:
            os.chdir(here)

    def course(self):
        return self.api().coursedir

    def released(self) -> NotebookNode:
        """What a student fetches."""
        return nbformat.read(self.root / "notebooks" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", as_version=4)

    def answered(self, **answers: str) -> NotebookNode:
        """A fetched notebook with answers by grade_id; `all="right"` answers everything rightly."""
        right = {"mix": MIX, "count_ones": COUNT, "noise": NOISE}
        answers = (right | answers) if answers.pop("all", "") else answers
        notebook = self.released()
        for cell in notebook.cells:
            mark = cell.metadata.get("nbgrader", {})
            if mark.get("solution") and mark["grade_id"] in answers:
                cell.source = answers[mark["grade_id"]]
        return notebook

    def hand_in(self, student: str, notebook: NotebookNode | str | bytes) -> Path:
        """Writes a submission; returns its folder."""
        folder = self.root / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True, exist_ok=True)
        if isinstance(notebook, NotebookNode):
            notebook = nbformat.writes(notebook)
        data = notebook.encode() if isinstance(notebook, str) else notebook
        (folder / f"{NOTEBOOK}.ipynb").write_bytes(data)
        return folder

    def marks(self, student: str) -> dict[str, float | None]:
        """Automatic marks in the gradebook."""
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{self.root / 'gradebook.db'}") as book:
            found = book.find_submission_notebook(NOTEBOOK, ASSIGNMENT, student)
            return {g.name: g.auto_score for g in found.grades}
