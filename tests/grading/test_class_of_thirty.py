"""A class of thirty made-up students through the instructor's whole run sheet (docs/instructors.md), in one go.

Right and wrong answers of the bank, untouched notebooks, late ones, broken files and hostile code.
"""

from __future__ import annotations

import csv
import json
import random
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook

from tests.answers.bank import answers, points, solutions
from tests.grading.conftest import needs_sandbox
from tests.grading.hostile import Page, attacks
from tests.grading.test_instructor_loop import CHAPTER, NOTEBOOK, Course, Formgrader

pytestmark = [pytest.mark.proof, needs_sandbox]
DUE = datetime(2026, 1, 10, 12, tzinfo=UTC)
RIGHT = [f"right{i:02}" for i in range(8)]
WRONG = [f"wrong{i:02}" for i in range(10)]
LATE = ["late00", "late01"]
UNTOUCHED = ["untouched00", "untouched01", "untouched02"]
BROKEN = {"broken00": b"", "broken01": b'{"cells": [', "broken02": b'{"nbformat": 2, "worksheets": []}'}
HOSTILE = ("verify_replaced", "records_forged", "exit_at_once", "secrets_in_environment")
FULL = 18.0


def hand_in(course: Course, student: str, answered: dict[str, str], attack: str = "", when: datetime = DUE) -> None:
    """Puts a submission into submitted/, as a file that came by mail."""
    notebook = nbformat.read(course.folder / "notebooks" / CHAPTER / f"{NOTEBOOK}.ipynb", as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in answered and cell.metadata.nbgrader.solution:
            cell.source = answered[name]
        if name == f"written_{NOTEBOOK}" and answered:
            cell.source = f"Attention compares queries with keys. {student}"
    if attack:
        notebook.cells.insert(2, new_code_cell(attack, id="attack"))
    folder = course.folder / "submitted" / student / CHAPTER
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NOTEBOOK}.ipynb")
    (folder / "timestamp.txt").write_text(f"{when:%Y-%m-%d %H:%M:%S} UTC")


def tformer(course: Course, *args: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tformer_course.cli", *args]
    return subprocess.run(command, cwd=course.folder, env=course.env, capture_output=True, text=True, timeout=1200)


def table(course: Course) -> dict[str, dict]:
    tree = json.loads((course.folder / "grading" / CHAPTER / "table.json").read_text())
    return {row["student"]: row for row in tree["students"]}


def gradebook(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}")


def fill(course: Course) -> int:
    """Thirty submissions; returns how many forgot the scale."""
    draw = random.Random(3)
    bank = [a for a in answers(CHAPTER) if a.source.strip()]
    own = solutions(CHAPTER)
    for student in RIGHT + LATE:
        mine = {e: draw.choice([a.source for a in bank if a.exercise == e and a.right] + [s]) for e, s in own.items()}
        hand_in(course, student, mine, when=DUE + timedelta(hours=5) if student in LATE else DUE)
    unscaled = next(a.source for a in bank if a.mistake == "no_scaling")
    for i, student in enumerate(WRONG):
        mine = {
            e: draw.choice([a.source for a in bank if a.exercise == e and a.right == (draw.random() < 0.5)])
            for e in own
        }
        if i < 6:
            mine["scaled_dot_product_attention"] = unscaled
        else:
            mine["scaled_dot_product_attention"] = own["scaled_dot_product_attention"]
            mine["causal_mask"] = next(a.source for a in bank if a.exercise == "causal_mask" and not a.right)
        hand_in(course, student, mine)
    for student in UNTOUCHED:
        hand_in(course, student, {})
    for student, data in BROKEN.items():
        folder = course.folder / "submitted" / student / CHAPTER
        folder.mkdir(parents=True)
        (folder / f"{NOTEBOOK}.ipynb").write_bytes(data)
    code = {a.name: a.code for a in attacks()}
    for name in HOSTILE:
        hand_in(course, f"hostile_{name}", {}, attack=code[name])
    return 6


def change_a_test(course: Course) -> str:
    """A fixed test: the first judgement of causal_mask weighs more. Returns the cell's name."""
    path = course.folder / "solutions" / CHAPTER / f"{NOTEBOOK}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    cell = next(c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "test_causal_mask")
    changed = re.sub(r"(expected=)", r"weight=2, \1", cell.source, count=1)
    assert changed != cell.source
    cell.source = changed
    nbformat.write(notebook, path)
    course.nbgrader("generate_assignment", CHAPTER, "--force")
    return "test_causal_mask"


@pytest.fixture(scope="module")
def thirty(tmp_path_factory):
    """The run sheet, step by step; what each step said."""
    course = Course(tmp_path_factory.mktemp("thirty"))
    left: dict = {"course": course}
    course.nbgrader("generate_assignment", CHAPTER)
    with gradebook(course) as book:
        book.update_or_create_assignment(CHAPTER, duedate=DUE.replace(tzinfo=None))
    left["unscaled"] = fill(course)
    left["look"] = tformer(course, "grade", CHAPTER, "--check")
    left["grade"] = tformer(course, "grade", CHAPTER)
    left["rows"] = table(course)
    with Formgrader(course) as formgrader:
        for student in RIGHT[:3]:
            (written,) = [g for g in formgrader.grades(student) if g["name"].startswith("written_")]
            formgrader.get(f"/formgrader/api/grade/{written['id']}", {"manual_score": 1.5})
    change_a_test(course)
    left["again"] = tformer(course, "grade", CHAPTER)
    left["rows again"] = table(course)
    left["feedback"] = course.nbgrader("generate_feedback", CHAPTER)
    for name in ("Canvas", "Moodle"):
        plugin = f"tformer_course.grading.export.{name}ExportPlugin"
        left[name] = course.nbgrader("export", "--exporter", plugin, "--to", f"{name}.csv")
    left["stats"] = tformer(course, "stats", CHAPTER)
    return left


def test_intake_says_beforehand_what_it_will_reject(thirty):
    said = thirty["look"].stdout
    assert thirty["look"].returncode == 1 and "3 would be rejected" in said, said
    assert all(f"{student}: rejected" in said for student in BROKEN)


def test_everyone_has_a_result_and_the_right_one(thirty):
    rows = thirty["rows"]
    assert len(rows) == 30 and thirty["grade"].returncode == 1, thirty["grade"].stdout
    assert {s: rows[s]["marks"] for s in RIGHT + LATE} == dict.fromkeys(RIGHT + LATE, FULL)
    assert all(0 < rows[s]["marks"] < FULL for s in WRONG)
    assert {s: rows[s]["marks"] for s in UNTOUCHED} == dict.fromkeys(UNTOUCHED, 0.0)
    assert all(rows[s]["status"] == "rejected" and rows[s]["reason"] for s in BROKEN)
    assert {s: r["marks"] for s, r in rows.items() if s.startswith("hostile")} == dict.fromkeys(
        [f"hostile_{name}" for name in HOSTILE], 0.0
    )


def test_late_ones_are_known_to_be_late(thirty):
    with gradebook(thirty["course"]) as book:
        late = {s.student.id for s in book.assignment_submissions(CHAPTER) if s.total_seconds_late > 0}
    assert late == set(LATE)


def test_fixed_test_is_judged_again_and_nothing_runs(thirty):
    rows = thirty["rows again"]
    ran = [s for s, r in rows.items() if r["status"] == "graded" and r["again"] != "judged again"]
    assert ran == [], {s: rows[s]["again"] for s in ran}
    assert {s: rows[s]["marks"] for s in RIGHT} == dict.fromkeys(RIGHT, FULL)
    assert any(rows[s]["marks"] != thirty["rows"][s]["marks"] for s in WRONG), "the fix changes some marks"


def test_marks_by_hand_stay(thirty):
    with gradebook(thirty["course"]) as book:
        scores = {s: book.find_submission(CHAPTER, s).score for s in RIGHT}
    assert [scores[s] for s in RIGHT[:3]] == [FULL + 1.5] * 3
    assert [scores[s] for s in RIGHT[3:]] == [FULL] * 5


def test_everyone_has_a_page_without_script(thirty):
    for student in thirty["rows"]:
        page = thirty["course"].folder / "feedback" / student / CHAPTER / f"{NOTEBOOK}.html"
        assert Page(page.read_text(encoding="utf-8")).active == [], student


def test_platforms_get_one_row_per_student(thirty):
    folder = thirty["course"].folder
    with open(folder / "Canvas.csv", newline="", encoding="utf-8") as file:
        head, possible, *rows = list(csv.reader(file))
    assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", CHAPTER]
    assert possible[0].strip() == "Points Possible" and possible[-1] == "20"
    assert len(rows) == 30 and dict((r[3], r[-1]) for r in rows)["right00"] == "19.5"
    with open(folder / "Moodle.csv", newline="", encoding="utf-8") as file:
        moodle = {row["username"]: row[CHAPTER] for row in csv.DictReader(file)}
    assert moodle == {r[3]: r[-1] for r in rows}
    assert "wait for marks by hand" in thirty["Canvas"]


def test_statistics_name_the_commonest_mistake(thirty):
    said = thirty["stats"].stdout
    assert thirty["stats"].returncode == 0, thirty["stats"].stderr
    (line,) = [n for n in said.splitlines() if n.startswith("scaled_dot_product_attention")]
    below = said.splitlines()[said.splitlines().index(line) + 1]
    assert re.match(rf"\s+{thirty['unscaled']} of \d+: ", below), below
    with open(thirty["course"].folder / "grading" / CHAPTER / "statistics.csv", newline="") as file:
        rows = {row["exercise"]: row for row in csv.DictReader(file)}
    assert set(rows) == set(solutions(CHAPTER))
    assert {e: float(rows[e]["points"]) for e in rows} == {e: sum(points(CHAPTER, e).values()) for e in rows}
    picture = thirty["course"].folder / "grading" / CHAPTER / "statistics.png"
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000
