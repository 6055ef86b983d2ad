"""A submission as the course knows it: everything about a cell except its source comes from the course.

nbgrader's OverwriteCells repairs points and locked sources, and keeps tags, flags, duplicates and the order that a
submission brings; a tag alone is worth full marks there (docs/instructors.md). Here a new notebook is
built: from the student come the text of cells and the order of the student's own cells, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, NbGraderPreprocessor

from . import harmless
from .cells import new_cell

SKIP = "demo"  # nbclient, Validate and the engine skip cells with this tag


@dataclass(frozen=True)
class MasterCell:
    """A cell that nbgrader knows, as the gradebook has it. `source` holds the hidden tests; `released` does not."""

    name: str
    kind: str
    source: str
    released: str
    grade: bool = False
    solution: bool = False
    locked: bool = False
    task: bool = False
    points: float = 0.0

    @property
    def tested(self) -> bool:
        """Whether the engine judges it: an automatic test."""
        return self.grade and not self.solution and self.kind == "code"

    def node(self, source: str, cell_id: str) -> NotebookNode:
        """The cell with its metadata, and the source that it is to have."""
        cell = new_cell("code" if self.kind == "code" else "markdown", source, cell_id)
        mark = NotebookNode(
            grade_id=self.name,
            grade=self.grade,
            solution=self.solution,
            locked=self.locked,
            task=self.task,
            schema_version=3,
            cell_type=self.kind,
        )
        if self.grade or self.task:
            mark.points = self.points
        cell.metadata = NotebookNode(nbgrader=mark, tags=[])
        # The checksum is of what the student got, so that an untouched answer is known as one.
        mark.checksum = utils.compute_checksum(NotebookNode(cell, source=self.source if self.locked else self.released))
        return cell


@dataclass(frozen=True)
class Master:
    """A notebook of the course: the cells nbgrader knows in order, and the ids and sources of all others."""

    name: str
    cells: tuple[MasterCell, ...]
    ids: dict[str, str] = field(default_factory=dict)  # nbgrader name → cell id
    demos: dict[str, str] = field(default_factory=dict)  # cell id → source
    texts: frozenset[str] = frozenset()  # Markdown of the course itself
    kernel: str = "python3"
    setup: tuple[str, ...] = ()  # sources of the other code cells that are run


def load_master(db_url: str, assignment: str, notebook: str, path: Path) -> Master:
    """Reads a master from the gradebook, and order, ids and demos from the course's own notebook file.

    Args:
        db_url: nbgrader's `CourseDirectory.db_url`.
        assignment: Name of the assignment.
        notebook: Name of the notebook, without .ipynb.
        path: The notebook in the source directory.
    """
    own = nbformat.read(path, as_version=4)
    order = {c.metadata.nbgrader.grade_id: i for i, c in enumerate(own.cells) if c.metadata.get("nbgrader")}
    with Gradebook(db_url) as gradebook:
        known = gradebook.find_notebook(notebook, assignment)
        solutions = {c.name for c in known.solution_cells}
        points = {c.name: float(c.max_score) for c in [*known.grade_cells, *known.task_cells]}
        grades, tasks = {c.name for c in known.grade_cells}, {c.name for c in known.task_cells}
        cells = [
            MasterCell(
                name=c.name,
                kind=c.cell_type,
                source=c.source,
                released=_released(c.source, c.cell_type),
                grade=c.name in grades,
                solution=c.name in solutions,
                locked=bool(c.locked),
                task=c.name in tasks,
                points=points.get(c.name, 0.0),
            )
            for c in known.source_cells
        ]
    cells.sort(key=lambda c: order.get(c.name, len(order)))
    plain = [c for c in own.cells if not c.metadata.get("nbgrader")]
    return Master(
        name=notebook,
        cells=tuple(cells),
        ids={c.metadata.nbgrader.grade_id: c.id for c in own.cells if c.metadata.get("nbgrader")},
        demos={c.id: c.source for c in plain if "demo" in c.metadata.get("tags", [])},
        texts=frozenset(c.source.strip() for c in plain if c.cell_type == "markdown"),
        setup=tuple(c.source for c in plain if c.cell_type == "code" and "demo" not in c.metadata.get("tags", [])),
        kernel=own.metadata.get("kernelspec", {}).get("name", "python3"),
    )


def _released(source: str, kind: str) -> str:
    cell = nbformat.v4.new_code_cell(source) if kind == "code" else nbformat.v4.new_markdown_cell(source)
    cell.metadata["nbgrader"] = NotebookNode(grade=True, solution=False)
    for clear in (ClearHiddenTests(), ClearMarkScheme()):
        cell, _ = clear.preprocess_cell(cell, {}, 0)
    return cell.source


def restore(submitted: NotebookNode, master: Master) -> NotebookNode:
    """A new notebook of the student's sources in the course's cells.

    Of cells that claim the same nbgrader id the last one counts, as in nbgrader; the others become plain cells. Cells
    that nbgrader knows come in the course's order; the student's own cells stay where they are. A deleted test comes
    back before the next cell that nbgrader knows, so that all the student's cells up to there have run.
    """
    known = {c.name: c for c in master.cells}
    by_id = {cell_id: name for name, cell_id in master.ids.items()}
    claimed: dict[str, int] = {}
    for claim in (_claims_by_name, lambda cell: by_id.get(cell.get("id"))):
        found = {claim(cell): i for i, cell in enumerate(submitted.cells) if claim(cell) in known}
        claimed |= {name: i for name, i in found.items() if name not in claimed and i not in claimed.values()}
    slots = sorted(claimed.values())
    ordered = sorted(claimed, key=lambda name: _index(master, name))
    at = dict(zip(slots, ordered, strict=True))

    cells: list[NotebookNode] = []
    missing = [c for c in master.cells if c.name not in claimed and (c.grade or c.task)]
    for i, cell in enumerate(submitted.cells):
        if i in at:
            before = _index(master, at[i])
            cells += [_put_back(c, master) for c in missing if _index(master, c.name) < before]
            missing = [c for c in missing if _index(master, c.name) > before]
            cells.append(_known(known[at[i]], submitted.cells[claimed[at[i]]], master))
        else:
            cells.append(_own(cell, master, len(cells), {c.get("id") for c in cells}))
    cells += [_put_back(c, master) for c in missing]
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata = NotebookNode(kernelspec={"name": master.kernel, "display_name": "Python 3"})
    return notebook


def _claims_by_name(cell: NotebookNode) -> str | None:
    mark = cell.get("metadata", {}).get("nbgrader")
    name = mark.get("grade_id") if isinstance(mark, dict) else None
    return name if isinstance(name, str) else None


def _index(master: Master, name: str) -> int:
    return next(i for i, c in enumerate(master.cells) if c.name == name)


def _known(cell: MasterCell, student: NotebookNode, master: Master) -> NotebookNode:
    source = cell.source if cell.locked or not cell.solution else student.source
    if cell.solution and cell.kind == "markdown" and source != cell.released:
        source = harmless.markdown(source)
    node = cell.node(source, master.ids.get(cell.name, f"known-{_index(master, cell.name)}"))
    if cell.solution and cell.kind == "markdown" and student.get("attachments"):
        node["attachments"] = student.attachments
    return node


def _put_back(cell: MasterCell, master: Master) -> NotebookNode:
    """A deleted cell: a test as it was, a written answer as it was handed out, which earns nothing."""
    source = cell.source if cell.tested else cell.released
    return cell.node(source, master.ids.get(cell.name, f"known-{_index(master, cell.name)}"))


def _own(cell: NotebookNode, master: Master, number: int, taken: set[str]) -> NotebookNode:
    """A cell of the student's own, or one of the course that nbgrader does not know."""
    cell_id, source = cell.get("id"), cell.source
    if cell.cell_type == "code":
        # Some editors lose cell ids; an unchanged demo is known by its source too.
        if cell_id not in master.demos:
            cell_id = next((i for i, s in master.demos.items() if s.strip() == source.strip()), cell_id)
        demo = cell_id in master.demos and cell_id not in taken
        node = new_cell("code", source, cell_id if demo else f"own-{number}")
        node.metadata = NotebookNode(tags=[SKIP] if demo else [])
        return node
    if cell.cell_type == "raw":
        source = harmless.raw(source)
    elif source.strip() not in master.texts:
        source = harmless.markdown(source)
    node = new_cell("markdown", source, f"own-{number}")
    if cell.get("attachments"):
        node["attachments"] = cell.attachments
    return node


def master_of(course, assignment: str, notebook: str) -> Master:
    """The master of a notebook, of an nbgrader `CourseDirectory`; as the gradebook has it now."""
    folder = Path(course.format_path(course.source_directory, ".", assignment))
    path = folder / f"{notebook}.ipynb"
    return load_master(course.db_url, assignment, notebook, path)


class Restore(NbGraderPreprocessor):
    """The first step of autograding, in place of nbgrader's ClearOutput, DeduplicateIds and OverwriteCells."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Returns the restored notebook."""
        names = resources["nbgrader"]
        return restore(nb, master_of(self.parent.parent.coursedir, names["assignment"], names["notebook"])), resources
