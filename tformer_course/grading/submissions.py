"""The submissions of an assignment, made ready: taken in, copied as plain files, restored, and named for the cache."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory

from .execute import execution_key, verdict_key
from .intake import Intake, IntakeError, read_regular, take_in
from .restore import Master, load_master, restore

STUDENT = re.compile(r"[\w.@+-]{1,100}")


class CourseError(RuntimeError):
    """Nothing can be graded; the message says what to do first."""


@dataclass
class Notebook:
    """One notebook of one submission, restored. `rejected` says why a stand-in is graded in its place."""

    name: str
    restored: NotebookNode
    rejected: str = ""
    key: str = ""
    verdict_key: str = ""


@dataclass
class Submission:
    """One student's submission."""

    student: str
    notebooks: list[Notebook] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    refused: str = ""  # why not even a stand-in can be graded
    seconds: float = 0.0


class Assignment:
    """An assignment of a course folder: its masters, its support files, and who handed in.

    Raises:
        CourseError: Where the gradebook does not know the assignment.
    """

    def __init__(self, course: CourseDirectory, name: str) -> None:
        self.course, self.name = course, name
        self.source = Path(course.format_path(course.source_directory, ".", name))
        if not self.source.is_dir():
            raise CourseError(f"there is no assignment {name} in {self.source.parent}")
        try:
            with Gradebook(course.db_url) as gradebook:
                names = [n.name for n in gradebook.find_assignment(name).notebooks]
        except MissingEntry:
            raise CourseError(
                f"the gradebook does not know {name}: run `nbgrader generate_assignment {name}`"
            ) from None
        if not names:
            raise CourseError(f"the gradebook has no notebook of {name}: run `nbgrader generate_assignment {name}`")
        self.masters = {n: load_master(course.db_url, name, n, self.source / f"{n}.ipynb") for n in sorted(names)}
        self.support = {
            Path(path).relative_to(self.source).as_posix(): Path(path).read_bytes()
            for path in utils.find_all_files(str(self.source), [*course.ignore, "*.ipynb"])
        }

    def stale(self) -> list[str]:
        """Tests that differ between the course's notebook and the gradebook, which grades."""
        changed = []
        for master in self.masters.values():
            own = nbformat.read(self.source / f"{master.name}.ipynb", as_version=4)
            known = {c.name: c.source.strip() for c in master.cells if c.tested}
            for cell in own.cells:
                mark = cell.metadata.get("nbgrader", {})
                if mark.get("grade") and not mark.get("solution") and known.get(mark.grade_id) != cell.source.strip():
                    changed.append(mark.grade_id)
        return changed

    def students(self) -> list[str]:
        """Everyone with a folder for this assignment below submitted/."""
        folder = Path(self.course.format_path(self.course.submitted_directory, "*", self.name))
        root = Path(str(folder).split("*")[0])
        found = [p.name for p in root.iterdir() if os.path.lexists(p / self.name)] if root.is_dir() else []
        return sorted(found)

    def folder(self, student: str) -> Path:
        """Where a student's submission lies."""
        return Path(self.course.format_path(self.course.submitted_directory, student, self.name))

    def take_in(self, student: str) -> Intake:
        """Looks through a submission, read-only."""
        return take_in(self.folder(student), self.masters, self.support)

    def prepare(self, student: str, seed: int, where: str, staging: Path) -> Submission:
        """Takes a submission in, lays a clean copy into `staging` for nbgrader, and restores its notebooks."""
        began = time.perf_counter()
        if not STUDENT.fullmatch(student):
            return Submission(student, refused="the student's name has characters that nbgrader cannot handle")
        found = self.take_in(student)
        files = found.files | self.support
        made = Submission(student, files=files, left_out=found.left_out)
        for name, master in self.masters.items():
            rejected = found.rejected.get(name, "")
            submitted = _stand_in(rejected) if rejected else found.notebooks[name]
            made.notebooks.append(self._named(master, submitted, rejected, files, seed, where))
        self._stage(made, found, staging / student / self.name)
        made.seconds = time.perf_counter() - began
        return made

    def _named(self, master: Master, submitted: NotebookNode, rejected: str, files, seed: int, where: str) -> Notebook:
        restored = restore(submitted, master)
        key = execution_key(restored, files, seed, where)
        return Notebook(master.name, restored, rejected, key, verdict_key(restored, key))

    def _stage(self, made: Submission, found: Intake, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for notebook in made.notebooks:
            submitted = found.notebooks.get(notebook.name) or _stand_in(notebook.rejected)
            nbformat.write(submitted, folder / f"{notebook.name}.ipynb")
        for name, data in found.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        try:
            stamp = read_regular(self.folder(made.student) / "timestamp.txt", 100).decode("ascii", "replace").strip()
            utils.parse_utc(stamp)
            (folder / "timestamp.txt").write_text(stamp)
        except (IntakeError, OSError, ValueError, OverflowError):
            pass  # no time, no late penalty: the same as nbgrader without the file


def _stand_in(reason: str) -> NotebookNode:
    """What is graded, with no marks, in place of a notebook that cannot be read: the reason, for the student to see."""
    text = f"**Your notebook could not be graded:** {reason}. Please hand it in again, or ask your instructor."
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="could-not-be-graded")])


def chosen(assignment: Assignment, wanted: Iterable[str]) -> list[str]:
    """The students to grade: all, or those that are named.

    Raises:
        CourseError: Where a named student has handed in nothing.
    """
    everyone, wanted = assignment.students(), list(wanted)
    unknown = sorted(set(wanted) - set(everyone))
    if unknown:
        raise CourseError(f"no submission of {assignment.name} by {', '.join(unknown)}")
    return wanted or everyone
