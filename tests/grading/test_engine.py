"""`tformer grade`: grades a class, says why where it did not, repeats only what changed."""

from __future__ import annotations

import csv
import json
import os
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from tests.grading.conftest import needs_sandbox
from tests.grading.here import Open, graded
from tests.grading.mini import ASSIGNMENT, COUNT, MIX, NOTEBOOK, TEST_MIX, Course
from tformer_course.grading import course as course_module
from tformer_course.grading import engine as engine_module
from tformer_course.grading import work as work_module
from tformer_course.grading.engine import Engine, Options, main
from tformer_course.grading.sandbox import POLICY
from tformer_course.grading.table import Row, recorded

pytestmark = [pytest.mark.slow, needs_sandbox]


@pytest.fixture
def handed_in(course):
    """A class of five: right, partly right, untouched, broken, and one whose kernel dies."""
    course.hand_in("alice", course.answered(all="right"))
    course.hand_in("bob", course.answered(mix=MIX))
    course.hand_in("carol", course.released())
    course.hand_in("dan", "{broken")
    course.hand_in("eve", course.answered(all="right", noise="import os\nos._exit(1)"))
    return course


def test_class_is_graded_and_every_failure_is_named(handed_in, here, capsys):
    status, said = graded(handed_in)
    assert status == 1, "not all were graded"
    bar = capsys.readouterr().err
    assert "dan: rejected: mini.ipynb is damaged" in bar and "eve: graded in part: the kernel died in cell" in bar
    assert "5/5" in bar and re.search(r"\d\d:\d\d<\d\d:\d\d", bar), "counts, and how long it will take"
    text = (handed_in.root / "grading" / ASSIGNMENT / "table.csv").read_text()
    table = {row["student"]: row for row in csv.DictReader(text.splitlines())}
    assert {n: (r["status"], float(r["marks"])) for n, r in table.items()} == {
        "alice": ("graded", 7.0),
        "bob": ("graded", 3.0),
        "carol": ("graded", 0.0),
        "dan": ("rejected", 0.0),
        "eve": ("graded in part", 5.0),
    }
    assert "damaged" in table["dan"]["reason"] and "the kernel died in cell" in table["eve"]["reason"]
    assert sum(line.startswith(("alice", "bob", "carol", "dan", "eve")) for line in said) == 5
    run = json.loads((handed_in.root / "grading" / ASSIGNMENT / "table.json").read_text())["run"]
    assert run["sandbox"] == POLICY
    assert handed_in.marks("eve")["test_mix"] == 3.0 and handed_in.marks("eve")["test_noise"] == 0.0
    assert set(handed_in.marks("dan").values()) == {0.0}

    # The student is told in one sentence, too.
    page = nbformat.read(handed_in.root / "autograded" / "dan" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", as_version=4)
    assert "could not be graded" in page.cells[0].source and "damaged" in page.cells[0].source
    page = nbformat.read(handed_in.root / "autograded" / "eve" / ASSIGNMENT / f"{NOTEBOOK}.ipynb", as_version=4)
    (test,) = [c for c in page.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "test_noise"]
    assert test.outputs[0].text.startswith("✗ not graded: the kernel died in cell")

    # Running again does nothing anew.
    here.sent.clear()
    status, said = graded(handed_in)
    assert here.sent == [] and all("as before" in line for line in said[:5])

    # One hands in again: only this one runs.
    handed_in.hand_in("carol", handed_in.answered(count_ones=COUNT))
    graded(handed_in)
    assert here.sent == ["carol"] and handed_in.marks("carol")["test_count_ones"] == 2.0

    # --force runs all anew, with the same seed and the same marks.
    here.sent.clear()
    graded(handed_in, force=True, students=("alice",))
    assert here.sent == ["alice"] and handed_in.marks("alice")["test_mix"] == 3.0


def change_test(course: Course, old: str, new: str) -> None:
    path = course.root / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace(old, new)
    nbformat.write(notebook, path)
    assert course.api().generate_assignment(ASSIGNMENT)["success"]


def test_regrade_runs_only_what_changed(course, here, monkeypatch):
    course.hand_in("alice", course.answered(all="right"))
    graded(course)
    ran = []
    execute = work_module.execute
    monkeypatch.setattr(work_module, "execute", lambda *a: ran.append(1) or execute(*a))

    # An oracle changes: judged again on what was recorded, nothing runs.
    change_test(course, "expected=slow_oracle", "expected=lambda q, k, v: slow_oracle(q, k, v) + 1")
    _, said = graded(course)
    assert ran == [] and "judged again" in said[0] and course.marks("alice")["test_mix"] == 1.0

    # Inputs change: it runs.
    change_test(course, "draw.normal(n, 5)]", "draw.normal(n, 6)]")
    change_test(course, "slow_oracle(q, k, v) + 1", "slow_oracle(q, k, v)")
    _, said = graded(course)
    assert ran == [1] and "executed" in said[0] and course.marks("alice")["test_mix"] == 3.0


def test_changed_test_that_was_not_generated_is_noticed(course, here):
    course.hand_in("alice", course.released())
    path = course.root / "solutions" / ASSIGNMENT / f"{NOTEBOOK}.ipynb"
    path.write_text(path.read_text().replace("a large mask", "a larger mask"))
    _, said = graded(course)
    assert any("test_count_ones differs from the gradebook" in line for line in said)


def test_marks_by_hand_survive_a_regrade(course, here):
    from nbgrader.api import Gradebook

    answer = course.answered(all="right", written_mini="Because of the variance.")
    course.hand_in("alice", answer)
    graded(course)
    book = f"sqlite:///{course.root / 'gradebook.db'}"
    with Gradebook(book) as gradebook:
        grade = gradebook.find_grade("written_mini", NOTEBOOK, ASSIGNMENT, "alice")
        assert grade.needs_manual_grade and grade.auto_score is None
        grade.manual_score = 1.5
        gradebook.db.commit()
    graded(course, force=True)
    with Gradebook(book) as gradebook:
        assert gradebook.find_grade("written_mini", NOTEBOOK, ASSIGNMENT, "alice").score == 1.5


def test_warnings_and_bars_cost_an_honest_student_nothing(course, here):
    notebook = course.answered(all="right")
    loud = "import warnings, sys\nfrom tqdm import tqdm\nwarnings.warn('careful')\nprint('x', file=sys.stderr)\n"
    notebook.cells.insert(2, new_code_cell(loud + "for _ in tqdm(range(3)): pass"))
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "count_ones":
            cell.source = COUNT.replace("return int", "warnings.warn('slow'); print('y', file=sys.stderr); return int")
    course.hand_in("alice", notebook)
    assert graded(course)[0] == 0
    assert sum(course.marks("alice")[t] for t in ("test_mix", "test_count_ones", "test_noise")) == 7


def test_error_of_an_oracle_gives_no_marks_and_is_a_failure_of_the_grader(course, here):
    change_test(course, "expected=slow_oracle", "expected=lambda q, k, v: 1 / 0")
    course.hand_in("alice", course.answered(all="right"))
    status, said = graded(course)
    assert status == 1 and "failed" in said[0] and "ZeroDivisionError" in said[0]


def test_cell_that_cannot_be_judged_outside_gives_no_marks(course, here):
    change_test(course, TEST_MIX, "assert True\n3.0")
    course.hand_in("alice", course.answered(all="right"))
    status, said = graded(course)
    assert status == 1 and "failed" in said[0] and "alice" not in recorded(course.root / "grading" / ASSIGNMENT)


def test_few_submissions_are_in_memory_at_once(course, here, monkeypatch):
    for i in range(14):
        course.hand_in(f"s{i:02}", course.answered(mix=MIX, noise=f"# {i}"))
    held, most = set(), []
    prepare, record = Engine._prepare, Engine._record

    def prepared(self, student):
        held.add(student)
        most.append(len(held))
        return prepare(self, student)

    monkeypatch.setattr(Engine, "_prepare", prepared)
    monkeypatch.setattr(Engine, "_record", lambda self, made: (record(self, made), held.discard(made.student)))
    assert graded(course, jobs=2)[0] == 0
    assert max(most) == 2 * engine_module.AHEAD and len(most) == 14


def test_check_says_what_would_be_rejected_and_writes_nothing(handed_in):
    before = sorted(str(p) for p in handed_in.root.rglob("*"))
    status, said = graded(handed_in, check=True)
    assert status == 1 and any(line.startswith("dan: rejected: mini.ipynb is damaged") for line in said)
    assert sorted(str(p) for p in handed_in.root.rglob("*")) == before


@pytest.mark.parametrize(
    ("options", "says"),
    [({"students": ("nobody",)}, "no submission"), ({"assignment": "99_none"}, "no assignment 99_none")],
)
def test_what_cannot_be_graded_is_said_and_status_is_2(course, capsys, options, says):
    assert main(Options(**({"assignment": ASSIGNMENT, "root": course.root} | options))) == 2
    assert says in capsys.readouterr().err


def test_folder_without_config_is_no_course(tmp_path, capsys):
    assert main(Options(ASSIGNMENT, root=tmp_path)) == 2
    assert "no course folder" in capsys.readouterr().err


def test_no_sandbox_is_a_refusal_and_the_way_out_is_stamped_into_the_log(course, monkeypatch, capsys):
    from tformer_course.grading import sandbox, settings

    def refuse() -> None:
        raise sandbox.SandboxError("bwrap is not installed. Install the package bubblewrap of your distribution.")

    monkeypatch.setattr(sandbox, "probe", refuse)
    monkeypatch.setattr(settings, "_used", [])
    course.hand_in("alice", course.answered(all="right"))
    assert graded(course)[0] == 2 and "--unsafe-no-sandbox" in capsys.readouterr().err
    assert not (course.root / "autograded").exists()
    monkeypatch.setattr(engine_module, "executor", lambda options: Open())
    status, said = graded(course, unsafe=True)
    assert status == 0 and said[0].startswith("WITHOUT A SANDBOX: students' code ran as")
    (line,) = (course.root / "grading" / ASSIGNMENT / "runs.log").read_text().splitlines()
    assert f"uid {os.geteuid()}" in json.loads(line)["sandbox"]
    assert course.marks("alice")["test_mix"] == 3.0


def test_spreadsheet_formulas_are_defused():
    from tformer_course.grading.table import spreadsheet_cell

    assert spreadsheet_cell("=cmd()") == "'=cmd()" and spreadsheet_cell("plain") == "plain"
    assert Row("a", "graded", 3, 7).line().split()[:5] == ["a", "graded", "3", "of", "7"]


def test_options_reach_the_engine(course):
    engine = Engine(Options(ASSIGNMENT, root=course.root, students=()), print)
    assert engine.students == [] and engine.bounds.cell == 180
    assert course_module.available_cores() >= 1


def test_what_checks_import_when_called_is_loaded_before_the_fork():
    from tformer_course.grading.preload import of_notebook

    found = of_notebook(['import math\ncheck("capture_attention", capture_attention)', "not python ("])
    assert {"math", "transformers.BertModel", "transformers.LlamaModel"} <= found
