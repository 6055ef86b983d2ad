"""How fast and how large grading is: plain nbgrader, the engine with and without a sandbox, and the floor.

    python -m tests.bench.grading                       a class of 40, every chapter that has a notebook
    python -m tests.bench.grading attention --class 10 --plain 2
    python -m tests.bench.grading --growth 10 100 1000  small notebooks, more and more of them
    --save                                              puts what was measured into docs/bench_grading.md

The class is mixed: the solution, the untouched notebook, and notebooks with right and wrong answers of the answer bank,
all different. Plain `nbgrader autograde` is serial and linear; it is timed on a few submissions (`--plain`, 0: not at
all), and so, on twice as many, is the engine without a sandbox, which pays for all imports of every submission.
The floor is the CPU time of the students' own cells and of the calls that tests make, with all imports done, divided
by the cores.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import nbformat
import psutil

from tests.answers.bank import answers, chapters, execute, recorded, solutions
from tformer_course.grading.course import available_cores
from tformer_course.grading.restore import load_master, restore
from tformer_course.grading.runner import sources

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "bench_grading.md"
PLAIN = """
c = get_config()
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.ExecutePreprocessor.timeout = 600
"""


def environment() -> dict[str, str]:
    """What commands are run with."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    usual = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    return usual | {"PATH": path, "PYTHONPATH": str(ROOT)}


def make_course(folder: Path, chapter: str, size: int) -> list[str]:
    """A course folder with `size` different submissions; returns the students."""
    shutil.copytree(ROOT / "solutions" / chapter, folder / "solutions" / chapter)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", chapter]
    subprocess.run(command, cwd=folder, env=environment(), check=True, capture_output=True)
    (released,) = (folder / "notebooks" / chapter).glob("*.ipynb")
    draw = random.Random(0)
    bank = {name: [a.source for a in answers(chapter) if a.exercise == name] for name in solutions(chapter)}
    students = [f"s{i:04}" for i in range(size)]
    for i, student in enumerate(students):
        notebook = nbformat.read(released, as_version=4)
        for cell in notebook.cells:
            mark = cell.metadata.get("nbgrader", {})
            if not mark.get("solution") or cell.cell_type != "code" or i == 1:
                continue
            own = solutions(chapter)[mark.grade_id]
            pick = own if i == 0 or draw.random() < 0.4 else draw.choice(bank[mark.grade_id] or [own])
            cell.source = f"{pick}\n# {student}"
        target = folder / "submitted" / student / chapter
        target.mkdir(parents=True)
        nbformat.write(notebook, target / released.name)
    return students


class Memory(threading.Thread):
    """Samples the memory of a process and all its descendants; pages that are shared are split among their users."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.process, self.peak = psutil.Process(pid), 0

    def run(self) -> None:
        while self.process.is_running():
            total = 0
            with contextlib.suppress(psutil.Error):
                for one in [self.process, *self.process.children(recursive=True)]:
                    with contextlib.suppress(psutil.Error):
                        total += one.memory_full_info().pss
            self.peak = max(self.peak, total)
            time.sleep(1)


def timed(command: list[str], folder: Path) -> dict[str, float]:
    """Runs a command; wall seconds, CPU seconds (a sandbox that is killed reports none), and peak memory in GB."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    memory = Memory(process.pid)
    memory.start()
    status = process.wait()
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "memory": memory.peak / 1e9, "status": status}


def plain(folder: Path, chapter: str, students: list[str]) -> dict[str, float]:
    """Stock nbgrader on a few submissions, everything but the directory names at its defaults; per submission."""
    course = folder.with_name("plain")
    shutil.copytree(folder, course, ignore=shutil.ignore_patterns("grading", "autograded"))
    (course / "nbgrader_config.py").write_text(PLAIN)
    for other in (course / "submitted").iterdir():
        if other.name not in students:
            shutil.rmtree(other)
    found = timed([sys.executable, "-m", "nbgrader", "autograde", chapter], course)
    return {k: v / len(students) if k in {"wall", "cpu"} else v for k, v in found.items()}


def ours(folder: Path, chapter: str, *options: str) -> dict[str, float]:
    """`tformer grade` on the whole class, with nothing kept from before."""
    for old in ("grading", "autograded"):
        shutil.rmtree(folder / old, ignore_errors=True)
    return timed([sys.executable, "-m", "tformer_course.cli", "grade", chapter, *options], folder)


def stages(folder: Path, chapter: str) -> dict[str, float]:
    """Mean wall seconds per submission of the last run's stages."""
    rows = json.loads((folder / "grading" / chapter / "table.json").read_text())["students"]
    names = {stage for row in rows for stage in row["seconds"]}
    return {stage: sum(row["seconds"].get(stage, 0.0) for row in rows) / len(rows) for stage in sorted(names)}


def floor(folder: Path, chapter: str, students: list[str]) -> float:
    """CPU seconds of all the students' own cells, each notebook in a fork of this process with its imports done."""
    (path,) = (folder / "solutions" / chapter).glob("*.ipynb")
    master = load_master(f"sqlite:///{folder / 'gradebook.db'}", chapter, path.stem, path)
    total = 0.0
    for i, student in enumerate([students[0], *students]):
        submitted = nbformat.read(folder / "submitted" / student / chapter / path.name, as_version=4)
        plan = sources(restore(submitted, master), 7)
        spent = _in_fork(plan) if i else _run(plan)  # the first one, here, pays for the imports
        total += spent if i else 0.0
    return total


def _run(plan: list[tuple[str, str]]) -> float:
    namespace: dict = {"__name__": "__main__", "display": print}
    began = time.process_time()
    sink = io.StringIO()
    with recorded(), contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
        for kind, source in plan:
            if kind != "skip":
                with contextlib.suppress(BaseException):
                    execute(source, namespace, f"<{kind}>")
    return time.process_time() - began


def _in_fork(plan: list[tuple[str, str]]) -> float:
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, str(_run(plan)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        spent = float(answer.read() or 0)
    os.wait()
    return spent


def report(chapter: str, size: int, sample: int) -> str:
    """All figures of one chapter as Markdown."""
    cores = available_cores()
    with tempfile.TemporaryDirectory(prefix="tformer-bench-") as work:
        folder = Path(work) / "course"
        folder.mkdir()
        students = make_course(folder, chapter, size)
        load = os.getloadavg()[0]
        spent = floor(folder, chapter, students)
        found, base = {}, None
        if sample:
            found[f"plain nbgrader ({sample} timed)"] = base = plain(folder, chapter, students[2 : 2 + sample])
            some = students[2 : 2 + 2 * sample]
            options = ["--unsafe-no-sandbox", *(word for student in some for word in ("--student", student))]
            got, count = ours(folder, chapter, *options), len(some)
            found[f"ours without sandbox ({count} timed)"] = got | {k: got[k] / count for k in ("wall", "cpu")}
        got = ours(folder, chapter)
        found["ours with sandbox"] = got | {k: got[k] / size for k in ("wall", "cpu")}
        again = timed([sys.executable, "-m", "tformer_course.cli", "grade", chapter], folder)
        lines = [f"## {chapter}: {size} submissions, {cores} cores", ""]
        lines += [
            "| | wall s each | peak GB | × plain |",
            "|---|-:|-:|-:|",
        ]
        for name, row in found.items():
            times = f"{base['wall'] / row['wall']:.1f}" if base else "not timed"
            lines.append(f"| {name} | {row['wall']:.2f} | {row['memory']:.1f} | {times} |")
        lines.append(f"| floor: own cells ÷ cores | {spent / size / cores:.2f} | | |")
        fixed = found["ours with sandbox"]["wall"] - 1.3 * spent / size / cores
        lines += ["", f"Beyond 1.3 × the floor: {fixed:.2f} s of the clock for each submission."]
        lines += ["", f"Run again with nothing changed: {again['wall']:.1f} s in all. Load average before: {load:.1f}."]
        kept = ", ".join(f"{k} {v:.2f}" for k, v in stages(folder, chapter).items())
        lines += [f"Mean wall seconds in a worker: {kept}.", ""]
        return "\n".join(lines)


def growth(sizes: list[int], jobs: int) -> str:
    """What submissions cost as they become more: small notebooks, every one different, so that the cache has none."""
    from tests.grading.mini import ASSIGNMENT, Course

    lines = [f"## growth: small notebooks, all different, {jobs} worker(s)", ""]
    lines += [
        "| submissions | wall s each | grader's CPU s each | peak GB | again, all known: CPU s each |",
        "|-:|-:|-:|-:|-:|",
    ]
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="tformer-growth-") as work:
            course = Course(Path(work) / "course")
            for i in range(size):
                kind = {"all": "right"} if i % 3 else {}
                notebook = course.answered(**kind, noise=f"def noise(n, seed):\n    return torch.zeros(n)  # {i}")
                course.hand_in(f"s{i:05}", notebook)
            command = [sys.executable, "-m", "tformer_course.cli", "grade", ASSIGNMENT, "--jobs", str(jobs)]
            first, again = timed(command, course.root), timed(command, course.root)
            if first["status"] or again["status"]:
                raise RuntimeError(f"not all of {size} submissions were graded")
        one = f"| {size} | {first['wall'] / size:.2f} | {first['cpu'] / size:.2f} | {first['memory']:.2f} "
        lines.append(f"{one}| {again['cpu'] / size:.3f} |")
        print(lines[-1], flush=True)
    return "\n".join([*lines, "", f"Load average at the end: {os.getloadavg()[0]:.1f}.", ""])


def save(section: str) -> None:
    """Puts a section into docs/bench_grading.md, in place of the one with the same first word."""
    text = PAGE.read_text(encoding="utf-8")
    head, *old = re.split(r"(?m)^(?=## )", text)
    new = f"{section.rstrip()}\n\nMeasured {time.strftime('%Y-%m-%d')}.\n\n"
    kept = [s for s in old if s.split()[1] != section.split()[1]]
    PAGE.write_text("\n\n".join(s.strip() for s in [head, *sorted([*kept, new])]) + "\n", encoding="utf-8")


def main() -> None:
    """Prints the report."""
    if os.environ.get("OMP_NUM_THREADS") != "1":  # the floor forks, which torch's thread pool does not survive
        os.environ["OMP_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", "tests.bench.grading", *sys.argv[1:]])
    parser = argparse.ArgumentParser()
    parser.add_argument("chapters", nargs="*")
    parser.add_argument("--class", dest="size", type=int, default=40)
    parser.add_argument("--plain", type=int, default=4)
    parser.add_argument("--growth", type=int, nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=available_cores())
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    if options.growth:
        made = growth(options.growth, options.jobs)
        print(made)
        if options.save:
            save(made)
        return
    for chapter in chapters():
        if not options.chapters or chapter in options.chapters or chapter.split("_", 1)[1] in options.chapters:
            made = report(chapter, options.size, options.plain)
            print(made, flush=True)
            if options.save:
                save(made)


if __name__ == "__main__":
    main()
