"""How long each notebook takes and how much memory: the solutions, run from the first cell to the last.

python -m tests.bench.notebooks               all
python -m tests.bench.notebooks 03_positions
--save                                        puts the table into docs/bench_notebooks.md
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.grading import timed
from tformer_course.grading.course import available_cores

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "bench_notebooks.md"
HEAD = """# The notebooks, measured

`python -m tests.bench.notebooks --save` runs every solution once, all cells, in a kernel of its own, with torch's
default number of threads. Memory is the peak of all processes, shared pages counted once (PSS). Time is the clock's;
training is most of it. {cores} cores, load average {load:.1f} before the first; measured {date}.

| notebook | seconds | processor seconds | peak GB |
|---|-:|-:|-:|
"""


def main() -> int:
    """Prints the table; returns how many notebooks failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("chapters", nargs="*")
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    lines, failed = [], 0
    head = HEAD.format(cores=available_cores(), load=os.getloadavg()[0], date=time.strftime("%Y-%m-%d"))
    for path in sorted((ROOT / "solutions").glob("*/*.ipynb")):
        if options.chapters and path.parent.name not in options.chapters:
            continue
        with tempfile.TemporaryDirectory() as folder:
            output = f"--output-dir={folder}"
            command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", output, str(path)]
            found = timed([*command, "--ExecutePreprocessor.timeout=600"], path.parent)
        failed += bool(found["status"])
        said = "" if not found["status"] else " (failed)"
        name = f"{path.parent.name}{said}"
        lines.append(f"| {name} | {found['wall']:.0f} | {found['cpu']:.0f} | {found['memory']:.1f} |")
        print(lines[-1], flush=True)
    if options.save:
        PAGE.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
