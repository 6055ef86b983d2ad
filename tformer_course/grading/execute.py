"""Grades one restored notebook: runs it where it can do no harm, judges what it recorded here, writes the marks.

`Execute` stands in for nbgrader's preprocessor of the same name, so that `nbgrader autograde`, formgrader's button and
`tformer grade` take the same path.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import Execute as NbgraderExecute
from traitlets import Float

from ..checks.core.guards import TimeLimitError, time_limit
from ..checks.core.records import MIME
from . import harmless, settings
from .cache import Cache
from .intake import take_in
from .judge import Verdict, outputs_of, read_records, verdict
from .kernels import Kernels
from .messages import Ran
from .restore import SKIP
from .runner import Bounds, Execution, execute, is_test, sources

OUR_FAULT = "✗ not graded: this test could not be judged, which is not your fault; your instructor sees it too"
JUDGING_SECONDS = 300.0  # for all oracles of one test cell
JUDGING_MEMORY = 3 * 2**30  # bytes; `holds` computes with what a student returned, whatever its size


@dataclass
class Graded:
    """An execution with the verdict on each of its tests, by nbgrader's name of the cell."""

    execution: Execution
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)  # the grader's own, not the student's

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {"execution": self.execution.to_json(), "verdicts": _verdicts(self), "errors": self.errors}

    @classmethod
    def from_json(cls, tree: dict[str, Any]) -> Graded:
        """The inverse of `to_json`."""
        verdicts = {name: Verdict(**_tuples(v)) for name, v in tree["verdicts"].items()}
        return cls(Execution.from_json(tree["execution"]), verdicts, list(tree["errors"]))


def _verdicts(graded: Graded) -> dict[str, Any]:
    return {name: asdict(v) for name, v in graded.verdicts.items()}


def _tuples(tree: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in tree.items()}


def execution_key(notebook: NotebookNode, files: dict[str, bytes], seed: int, where: str) -> str:
    """Names an execution by everything that it depends on: what is sent, the files beside it, seed and surroundings.

    A test's oracle and tolerances are not sent and so are not part of it: when only they change, nothing runs again.
    """
    digest = hashlib.sha256(f"{settings.fingerprint()} {where} {seed}".encode())
    for kind, source in sources(notebook, seed):
        digest.update(f"\x1e{kind}\x1f{source}".encode("utf-8", "replace"))
    for name in sorted(files):
        digest.update(f"\x1e{name}\x1f".encode() + hashlib.sha256(files[name]).digest())
    return digest.hexdigest()


def verdict_key(notebook: NotebookNode, execution: str) -> str:
    """Names the verdicts on an execution: the whole text of all tests counts, oracles included."""
    digest = hashlib.sha256(execution.encode())
    for cell in notebook.cells:
        if is_test(cell):
            digest.update(f"\x1e{cell.metadata.nbgrader.grade_id}\x1f{cell.source}".encode())
    return digest.hexdigest()


def grade(
    notebook: NotebookNode, files: dict[str, bytes], seed: int, bounds: Bounds, kernels: Kernels, cache: Cache
) -> Graded:
    """Runs and judges a restored notebook, or takes from the cache what has not changed.

    Args:
        notebook: From `restore`.
        files: What lies beside it in the sandbox.
        seed: Seed of the grading run.
        bounds: Time limits.
        kernels: Where kernels come from.
        cache: Earlier executions and verdicts.
    """
    key = execution_key(notebook, files, seed, kernels.name)
    verdicts = verdict_key(notebook, key)
    if found := cache.get(verdicts):
        return Graded.from_json(found)
    if found := cache.get(key):
        done = Execution.from_json(found)
    else:
        with kernels.prepared(files) as kernel:
            done = execute(notebook, seed, bounds, kernel)
        if not done.infrastructure:
            cache.put(key, done.to_json())
    graded = judge(notebook, done, seed)
    if not done.infrastructure and not graded.errors:
        cache.put(verdicts, graded.to_json())
    return graded


def judge(notebook: NotebookNode, done: Execution, seed: int) -> Graded:
    """The verdict on every test of an execution. This process has never run a line of the student's code."""
    graded = Graded(done)
    for cell, ran in zip(notebook.cells, done.cells, strict=True):
        if not is_test(cell):
            continue
        name, points = cell.metadata.nbgrader.grade_id, float(cell.metadata.nbgrader.points)
        if ran.status == "skipped":
            graded.errors.append(f"{name}: the cell does not have the form that can be judged outside (rewrite.py)")
            graded.verdicts[name] = Verdict(0.0, points, (OUR_FAULT,))
            continue
        if ran.status in {"not run", "flood"} or (ran.status == "error" and not ran.records):
            graded.verdicts[name] = Verdict(0.0, points, (f"✗ not graded: {ran.says or done.fate}",))
            continue
        try:
            graded.verdicts[name] = _judge_one(cell.source, ran, seed, points)
        except (Exception, TimeLimitError) as error:
            said = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
            graded.errors.append(f"{name}: {said}")
            graded.verdicts[name] = Verdict(0.0, points, (OUR_FAULT,))
    return graded


def _judge_one(source: str, ran: Ran, seed: int, points: float) -> Verdict:
    outputs = [{"output_type": "display_data", "data": {MIME: text}} for text in ran.records]
    with time_limit(JUDGING_SECONDS), memory_limit(JUDGING_MEMORY):
        decided = verdict(source, read_records(outputs), seed)
    if not math.isfinite(decided.marks) or decided.points != points:
        raise ValueError(f"the cell judges {decided.points:g} points, and the gradebook has {points:g}")
    lines = decided.lines
    if ran.says and decided.marks < points:
        lines += (f"✗ the test cell itself stopped: {ran.says}",)
    return Verdict(min(max(decided.marks, 0.0), points), points, lines, decided.mistakes)


@contextlib.contextmanager
def memory_limit(more: int) -> Iterator[None]:
    """Lets this process take `more` bytes than it has; beyond that an allocation is an error and not its end.

    On Linux; elsewhere it does nothing.
    """
    try:
        import resource

        with open("/proc/self/status") as status:
            used = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData:"))
        before = resource.getrlimit(resource.RLIMIT_DATA)
        highest = before[1] if before[1] != resource.RLIM_INFINITY else used + more
        resource.setrlimit(resource.RLIMIT_DATA, (min(used + more, highest), before[1]))
    except (ImportError, OSError, StopIteration, ValueError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def write(notebook: NotebookNode, graded: Graded) -> None:
    """Puts outputs and marks into the notebook, as nbgrader reads them."""
    for cell, ran in zip(notebook.cells, graded.execution.cells, strict=True):
        if cell.cell_type != "code":
            continue
        if is_test(cell):
            found = graded.verdicts.get(cell.metadata.nbgrader.grade_id)
            points = float(cell.metadata.nbgrader.points)
            outputs = outputs_of(found or Verdict(0.0, points, ("✗ not graded",)))
            outputs[0]["text"] = harmless.text(outputs[0]["text"])
        elif ran.status == "not run" and ran.says:
            said = f"not run: {ran.says}"
            outputs = ran.outputs + [{"output_type": "stream", "name": "stdout", "text": said + "\n"}]
        else:
            outputs = ran.outputs
        cell.outputs = [NotebookNode(output) for output in outputs]
        for output in cell.outputs:
            if "data" in output:
                output.data, output.metadata = NotebookNode(output.data), NotebookNode()
        cell.execution_count = None


class Execute(NbgraderExecute):
    """Runs a submission in the sandbox, judges it outside, and writes the marks; in place of nbgrader's Execute."""

    notebook_timeout = Float(900.0, help="Seconds that a notebook may take as a whole.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Grades a restored notebook. A refusal (no sandbox) fails the submission; nothing runs unprotected."""
        names, course = resources["nbgrader"], self.parent.parent.coursedir
        run = settings.of(course, names["assignment"])
        files = files_of(course, names["assignment"], names["student"])
        bounds = Bounds(float(self.timeout or 180), self.notebook_timeout, float(self.startup_timeout))
        graded = grade(nb, files, run.seed, bounds, settings.kernels(Path(course.root)), run.cache)
        if graded.execution.infrastructure:
            raise RuntimeError(graded.execution.fate)
        for said in graded.errors:
            self.log.error("%s of %s could not be judged: %s", names["notebook"], names["student"], said)
        write(nb, graded)
        return nb, resources


def files_of(course, assignment: str, student: str) -> dict[str, bytes]:
    """What lies beside the notebook when it runs: a student's plain files, then the assignment's own."""
    source = Path(course.format_path(course.source_directory, ".", assignment))
    own = {
        Path(path).relative_to(source).as_posix(): Path(path).read_bytes()
        for path in utils.find_all_files(str(source), [*course.ignore, "*.ipynb"])
    }
    folder = Path(course.format_path(course.submitted_directory, student, assignment))
    return take_in(folder, (), own).files | own


__all__ = ["SKIP", "Execute", "Graded", "execution_key", "files_of", "grade", "judge", "write"]
