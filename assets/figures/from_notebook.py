"""Makes a figure of a chapter by the notebook's own cells, for the README.

    python assets/figures/from_notebook.py 01_attention real-heads real-heads-maps --figure 1

runs the setup cell and the two named cells of solutions/01_attention, and writes the first figure they show to
assets/figures/01_attention.png, and its alternative text beside it.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from pathlib import Path

import nbformat

from tformer_course import viz

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    """Runs the cells and saves one figure."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("chapter", help="folder name, e.g. 01_attention")
    arguments.add_argument("cells", nargs="+", help="cell ids, in order; the setup cell runs before them")
    arguments.add_argument("--figure", type=int, default=1, help="which of the figures shown, from 1")
    wanted = arguments.parse_args()

    (path,) = (ROOT / "solutions" / wanted.chapter).glob("*.ipynb")
    cells = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    missing = [name for name in wanted.cells if name not in cells]
    if missing:
        print(f"{path.name} has no cell {', '.join(missing)}", file=sys.stderr)
        return 2
    shown: list[tuple] = []
    show = viz.show
    viz.show = lambda figure, alt=None, **_: shown.append((figure, alt))
    space: dict = {}
    for name in ["setup", *wanted.cells]:
        exec(compile(cells[name], name, "exec"), space)
    if wanted.figure > len(shown):
        print(f"these cells show {len(shown)} figures", file=sys.stderr)
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
