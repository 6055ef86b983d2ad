"""`tformer grade`: many submissions at once, recorded one by one in nbgrader's gradebook.

Submissions are prepared here, run and judged by workers of a `concurrent.futures.Executor` (processes, or a Dask
cluster), kept in the cache, and recorded by nbgrader's own `autograde`, which finds them there. Every step can be
interrupted; what is recorded stays recorded, what is in the cache is not run again.
"""

from __future__ import annotations

import contextlib
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from pathlib import Path
from typing import Any

from tqdm import tqdm

from . import harmless, settings, table
from .course import Options, available_cores, executor, load_course
from .execute import Graded, judge
from .kernels import OpenKernels
from .messages import Ran
from .runner import Execution
from .sandbox import SandboxError
from .submissions import Assignment, CourseError, Notebook, Submission, chosen
from .table import FAILED, GRADED, PARTLY, REJECTED, Row
from .work import Job, work

AHEAD = 4  # notebooks under way for each worker: enough that none waits while results are recorded
CLUSTER = 16  # workers that a Dask cluster is taken to have where --jobs names no more


class Engine:
    """One grading run."""

    def __init__(self, options: Options, say: Callable[[str], None] = print) -> None:
        self.options, self.say = options, say
        self.api, self.bounds = load_course(options.root.resolve())
        self.assignment = Assignment(self.api.coursedir, options.assignment)
        self.students = chosen(self.assignment, options.students)
        self.rows: dict[str, Row] = {}
        self.ran: set[str] = set()  # executions of this run
        self.judged: set[str] = set()
        self.stages: dict[str, float] = {}

    def check(self) -> int:
        """Says what intake would reject and leave out; writes nothing."""
        rejected = 0
        for student in self.students:
            found = self.assignment.take_in(student)
            rejected += bool(found.rejected)
            for reason in found.rejected.values():
                self.say(f"{student}: rejected: {reason}")
            for name, reason in found.left_out.items():
                self.say(f"{student}: {name} is left out: it {reason}")
        self.say(f"{len(self.students)} submissions, {rejected} would be rejected.")
        return 1 if rejected else 0

    def run(self) -> int:
        """Grades; returns the exit status: 0 where all were graded to the end."""
        self.kernels = OpenKernels() if self.options.unsafe else settings.kernels(self.options.root)
        run = settings.of(self.api.coursedir, self.options.assignment)
        self.folder, self.seed, self.cache = run.folder, run.seed, run.cache
        self.cache.fresh = self.options.force
        about = table.about(self.seed, self.options.unsafe, self.kernels.name, self.options.jobs or available_cores())
        if self.options.unsafe:
            self.say(f"WITHOUT A SANDBOX: {about['sandbox'].removeprefix('NONE: ')}.")
        for name in self.assignment.stale():
            self.say(
                f"Note: {name} differs from the gradebook, which grades. `nbgrader generate_assignment` renews it."
            )
        table.log(self.folder, about)
        self.before = table.recorded(self.folder)
        table.tidy(self.folder, self.before)
        try:
            with settings.using(self.kernels):
                self._grade_all()
        finally:
            files = table.write(self.folder, (self.before | self.rows).values(), about)
        for student in self.students:
            self.say(self.rows[student].line())
        graded = sum(self.rows[s].status in {GRADED, PARTLY} for s in self.students)
        self.say(f"{graded} of {len(self.students)} graded. Table: {files[0]}")
        return 0 if all(self.rows[s].status in {GRADED, PARTLY} for s in self.students) else 1

    # --- the loop

    def _grade_all(self) -> None:
        """Grades everyone; whoever was under way when a worker died is tried again, one at a time."""
        jobs = self.options.jobs or available_cores()
        with tqdm(total=len(self.students), unit="student", dynamic_ncols=True, file=sys.stderr) as self.bar:
            everyone = iter(self.students)
            while lost := self._round(everyone, AHEAD * (max(jobs, CLUSTER) if self.options.scheduler else jobs)):
                suspects = iter(lost)
                while killers := self._round(suspects, 1):
                    self._keep_failure(killers[0], "the grading process died twice, most likely for lack of memory")

    def _round(self, students: Iterator[str], width: int) -> list[str]:
        """Grades until there are no more students or a worker dies; returns those that were under way then.

        No more than `width` notebooks are under way: a class of a thousand needs no more memory than one of ten.
        """
        under_way: dict[Future, tuple[Submission, Notebook]] = {}
        open_ones: Counter[str] = Counter()  # notebooks under way, by student
        lost: list[str] = []
        more = True
        with executor(self.options) as pool:
            while more or under_way:
                while more and not lost and len(under_way) < width:
                    student = next(students, None)
                    more = student is not None
                    if student is not None and (made := self._timed("prepare", self._prepare, student)):
                        jobs = [nb for nb in made.notebooks if self.cache.get(nb.verdict_key) is None]
                        open_ones[student] = len(jobs)
                        try:
                            under_way |= {pool.submit(work, self._job(made, nb)): (made, nb) for nb in jobs}
                        except BrokenExecutor:
                            lost.append(student)
                        if not jobs:
                            self._record(made)
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    made, nb = under_way.pop(future)
                    if self._received(future, made, nb):
                        open_ones[made.student] -= 1
                        if not open_ones[made.student] and made.student not in self.rows:
                            self._record(made)
                    elif made.student not in lost:
                        lost.append(made.student)
                more = more and not lost
        return lost

    def _received(self, future: Future, made: Submission, notebook: Notebook) -> bool:
        """Keeps what a worker hands over; False where the worker died."""
        try:
            self._keep(notebook, Graded.from_json(future.result()))
        except BrokenExecutor:
            return False
        except Exception as error:
            if made.student not in self.rows:
                self._keep_failure(made.student, f"the grader failed: {type(error).__name__}: {error}")
        return True

    def _prepare(self, student: str) -> Submission | None:
        staging = self.folder / "taken_in"
        try:
            made = self.assignment.prepare(student, self.seed, self.kernels.name, staging)
        except Exception as error:
            made = Submission(student, refused=f"it could not be prepared ({type(error).__name__}: {error})")
        if made.refused:
            self._finish(Row(student, FAILED, reason=made.refused))
            return None
        before, keys = self.before.get(student), [nb.verdict_key for nb in made.notebooks]
        done = Path(
            self.api.coursedir.format_path(self.api.coursedir.autograded_directory, student, self.assignment.name)
        )
        if before and before.keys == keys and done.is_dir() and before.status != FAILED and not self.options.force:
            before.again = "as before"
            self._finish(before)
            return None
        for notebook in made.notebooks:
            if notebook.rejected:
                self._keep(notebook, _not_run(notebook, notebook.rejected, self.seed))
        return made

    def _job(self, made: Submission, notebook: Notebook) -> Job:
        return Job(
            made.student,
            notebook.restored,
            made.files,
            self.seed,
            self.bounds,
            self.options.unsafe,
            self.cache.get(notebook.key),
            tuple(sorted(_imports(self.assignment.masters[notebook.name]))),
        )

    def _keep(self, notebook: Notebook, graded: Graded) -> None:
        if not graded.execution.infrastructure and self.cache.get(notebook.key) is None:
            self.cache.put(notebook.key, graded.execution.to_json())
            self.ran.add(notebook.key)
        self.judged.add(notebook.verdict_key)
        self.cache.put(notebook.verdict_key, graded.to_json())

    def _keep_failure(self, student: str, reason: str) -> None:
        self._finish(Row(student, FAILED, reason=reason))

    # --- recording

    def _record(self, made: Submission) -> None:
        """Writes one submission into the gradebook, by nbgrader's own autograde on the clean copy."""
        found = [Graded.from_json(self.cache.get(nb.verdict_key)) for nb in made.notebooks]
        row = self._row(made, found)
        if row.status != FAILED:
            said = self._timed("record", self._autograde, made.student)
            if said:
                row.status, row.reason = FAILED, said
        self._finish(row)

    def _autograde(self, student: str) -> str:
        course = self.api.coursedir
        submitted, course.submitted_directory = course.submitted_directory, str(self.folder / "taken_in")
        try:
            with warnings.catch_warnings(), contextlib.chdir(self.options.root):
                warnings.simplefilter("ignore")
                result = self.api.autograde(self.assignment.name, student, force=True)
        finally:
            course.submitted_directory = submitted
        if result["success"]:
            return ""
        lines = str(result.get("error") or result.get("log") or "nbgrader failed").strip().splitlines()
        if lines[-1].startswith("KeyboardInterrupt"):  # nbgrader catches it, as it does everything
            raise KeyboardInterrupt
        return f"nbgrader could not record it: {lines[-1]}"

    def _row(self, made: Submission, found: list[Graded]) -> Row:
        verdicts = [v for graded in found for v in graded.verdicts.values()]
        row = Row(made.student, GRADED, sum(v.marks for v in verdicts), sum(v.points for v in verdicts))
        row.keys = [nb.verdict_key for nb in made.notebooks]
        if not any(nb.key in self.ran for nb in made.notebooks):
            row.again = "judged again" if set(row.keys) & self.judged else "from the cache"
        row.left_out = "; ".join(f"{name} {why}" for name, why in made.left_out.items())
        rejected = [nb.rejected for nb in made.notebooks if nb.rejected]
        fates = [graded.execution.fate for graded in found if graded.execution.fate]
        stopped = [f"cell {i + 1}: {r.says}" for g in found for i, r in enumerate(g.execution.cells) if _cut_off(r)]
        errors = [said for graded in found for said in graded.errors]
        if any(graded.execution.infrastructure for graded in found) or errors:
            row.status, row.reason = FAILED, "; ".join(errors or fates)
        elif rejected:
            row.status, row.reason = REJECTED, "; ".join(rejected)
        elif fates or stopped:
            row.status, row.reason = PARTLY, "; ".join(fates or stopped[:3])
        for graded in found:
            for stage, spent in graded.execution.seconds.items():
                row.seconds[stage] = round(row.seconds.get(stage, 0.0) + spent, 4)
        return row

    def _finish(self, row: Row) -> None:
        row.reason, row.left_out = harmless.line(row.reason), harmless.line(row.left_out)
        self.rows[row.student] = row
        if row.status != FAILED:
            self.before[row.student] = row
            table.remember(self.folder, row)
        if row.status != GRADED:
            self.bar.write(f"{row.student}: {row.status}: {row.reason}", file=sys.stderr)
        counts = {s: sum(r.status == s for r in self.rows.values()) for s in (GRADED, PARTLY, REJECTED, FAILED)}
        self.bar.set_postfix({s: n for s, n in counts.items() if n}, refresh=False)
        self.bar.update()

    def _timed(self, stage: str, function: Callable, *given: Any) -> Any:
        began = time.perf_counter()
        try:
            return function(*given)
        finally:
            self.stages[stage] = self.stages.get(stage, 0.0) + time.perf_counter() - began


def _cut_off(ran: Ran) -> bool:
    return ran.status == "flood" or (ran.status == "error" and ran.says.startswith("the cell takes longer"))


def _not_run(notebook: Notebook, reason: str, seed: int) -> Graded:
    cells = [Ran(says=reason) for _ in notebook.restored.cells]
    return judge(notebook.restored, Execution(cells, reason), seed)


def _imports(master) -> set[str]:
    """Modules that the course's own code cells need; a fork server loads them once."""
    from .preload import of_notebook

    return of_notebook([cell.source for cell in master.cells if cell.kind == "code"] + list(master.setup))


def main(options: Options, say: Callable[[str], None] = print) -> int:
    """Runs the command; returns its exit status (0 all graded, 1 not all, 2 nothing could be done)."""
    try:
        engine = Engine(options, say)
        return engine.check() if options.check else engine.run()
    except (CourseError, SandboxError) as error:
        print(f"tformer grade: {error}", file=sys.stderr)
        if isinstance(error, SandboxError):
            print("Nothing was run. --unsafe-no-sandbox runs students' code as you, for this once.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. What was graded is recorded; run it again to go on.", file=sys.stderr)
        return 130
