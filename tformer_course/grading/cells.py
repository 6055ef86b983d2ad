"""New cells without nbformat's validation of each: a millisecond a cell, done again for the whole notebook anyway."""

from __future__ import annotations

from nbformat import NotebookNode


def new_cell(kind: str, source: str, cell_id: str) -> NotebookNode:
    """A cell of nbformat 4.5 with empty metadata.

    Args:
        kind: "code", "markdown" or "raw".
        source: Its text.
        cell_id: Its id.
    """
    cell = NotebookNode(cell_type=kind, id=cell_id, metadata=NotebookNode(), source=source)
    if kind == "code":
        cell.update(execution_count=None, outputs=[])
    return cell
