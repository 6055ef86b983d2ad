"""Makes a figure of a chapter by the notebook's own cells, for the README.

    python assets/figures/from_notebook.py 01_attention real-heads-maps --figure 1

runs the named cell of solutions/01_attention, after the earlier cells that bind the names it uses, and writes the first
figure that it shows to assets/figures/01_attention.png, and its alternative text beside it.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import sys
from pathlib import Path

import nbformat

from tformer_course import viz

ROOT = Path(__file__).resolve().parents[2]


def names(source: str) -> tuple[set[str], set[str]]:
    """What a cell binds, and what it uses."""
    bound, used = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name):
            (bound if isinstance(node.ctx, ast.Store) else used).add(node.id)
    return bound, used


def needed(cells: list, wanted: int) -> list[int]:
    """The cell and the earlier ones that it rests on, in order."""
    bindings = [names(cell.source) for cell in cells]
    found, waiting = set(), [wanted]
    while waiting:
        i = waiting.pop()
        if i not in found:
            found.add(i)
            for name in bindings[i][1]:
                waiting += [j for j in range(i) if name in bindings[j][0]][-1:]
    return sorted(found)


def main() -> int:
    """Runs the cells and saves one figure."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("chapter", help="folder name, e.g. 01_attention")
    arguments.add_argument("cell", help="id of the cell that shows the figure")
    arguments.add_argument("--figure", type=int, default=1, help="which of its figures, from 1")
    wanted = arguments.parse_args()

    (path,) = (ROOT / "solutions" / wanted.chapter).glob("*.ipynb")
    tests = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    cells = [c for c in tests if not c.metadata.get("nbgrader", {}).get("grade")]
    places = [i for i, cell in enumerate(cells) if cell.id == wanted.cell]
    if not places:
        print(f"{path.name} has no cell {wanted.cell}", file=sys.stderr)
        return 2
    shown: list[tuple] = []
    show = viz.show
    space: dict = {"display": lambda *_: None}
    for i in needed(cells, places[0]):
        shown.clear()
        viz.show = lambda figure, alt=None, **_: shown.append((figure, alt))
        exec(compile(cells[i].source, cells[i].id, "exec"), space)
    if wanted.figure > len(shown):
        print(f"this cell shows {len(shown)} figures", file=sys.stderr)
        return 2
    figure, alt = shown[wanted.figure - 1]
    target = Path(__file__).parent / f"{wanted.chapter}.png"
    with contextlib.redirect_stdout(io.StringIO()):  # outside a notebook it prints the HTML
        show(figure, alt, save=target)
    target.with_suffix(".txt").write_text(alt + "\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {alt}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
