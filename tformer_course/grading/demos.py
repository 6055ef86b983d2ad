"""Marks depend on graded cells alone: cells that only show something are not run when a notebook is graded."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor

# nbclient skips cells with this tag (`ExecutePreprocessor.skip_cells_with_tag` in nbgrader_config.py), Validate too.
SKIP = "demo"


@cache
def demo_ids(master: Path) -> frozenset[str]:
    """Ids of the cells that the course's own notebook tags `demo`."""
    cells = nbformat.read(master, as_version=4).cells
    return frozenset(c.id for c in cells if "demo" in c.metadata.get("tags", []) and not c.metadata.get("nbgrader"))


class SkipDemos(NbGraderPreprocessor):
    """Gives the skip tag to demo cells and to no other cell, whatever tags a submission brings.

    A demo is known by its id in the course's notebook. A student's own tag counts for nothing: nbclient would skip
    a test cell that carries it, and nbgrader gives full marks to a cell without output.
    """

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Rebuilds the tags of all cells."""
        course, names = self.parent.coursedir, resources["nbgrader"]
        folder = course.format_path(course.source_directory, ".", names["assignment"])
        demos = demo_ids(Path(folder) / f"{names['notebook']}.ipynb")
        for cell in nb.cells:
            tested = bool(utils.is_grade(cell) or utils.is_solution(cell))
            cell.metadata["tags"] = [SKIP] if cell.get("id") in demos and not tested else []
        return nb, resources
