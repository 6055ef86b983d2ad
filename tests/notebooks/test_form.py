"""Every chapter's notebook has the form that the course promises."""

from __future__ import annotations

import ast
import json
import re
from functools import cache

import nbformat
import pytest

from tests.answers.bank import ROOT, cells_that_grade, chapters, notebook, solutions
from tformer_course.checks.core.exercise import chapter_exercises

CHAPTERS = chapters()
CLAIMS = json.loads((ROOT / "tests/notebooks/claims_by_chapter.json").read_text(encoding="utf-8"))


def grader(cell) -> dict:
    return cell.metadata.get("nbgrader", {})


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def cells_of(chapter: str, kind: str | None = None) -> list:
    return [c for c in notebook(chapter).cells if kind in (None, c.cell_type)]


@cache
def prose(chapter: str) -> str:
    return "\n\n".join(c.source for c in cells_of(chapter, "markdown"))


@pytest.fixture(params=CHAPTERS)
def chapter(request) -> str:
    return request.param


def test_points_add_up_to_twenty_and_agree_everywhere(chapter):
    exercises = chapter_exercises(chapter.split("_", 1)[1])
    assert list(exercises) == list(solutions(chapter)), "the checks list the exercises in the notebook's order"
    automatic = 0.0
    for name, exercise in exercises.items():
        cells = cells_that_grade(chapter, name)
        assert sum(c.metadata.nbgrader.points for c in cells.values()) == exercise.points, name
        for grade_id, cell in cells.items():
            (stated,) = re.findall(rf'Verify\("{name}", points=([\d.]+)\)', cell.source)
            assert float(stated) == cell.metadata.nbgrader.points, grade_id
        automatic += exercise.points
    manual = [grader(c) for c in cells_of(chapter, "markdown") if grader(c).get("grade")]
    assert automatic == 18
    assert [(m["grade_id"], m["points"]) for m in manual] == [(f"written_{chapter.split('_', 1)[1]}", 2)]


def test_stored_outputs_are_the_full_marks(chapter):
    for cell in cells_of(chapter, "code"):
        if not grader(cell).get("grade"):
            continue
        assert "nbval-check-output" in tags(cell), cell.id
        results = [o for o in cell.outputs if o.output_type == "execute_result"]
        assert [float(o.data["text/plain"]) for o in results] == [grader(cell)["points"]], cell.id


def test_only_tagged_cells_keep_outputs(chapter):
    for cell in cells_of(chapter, "code"):
        assert bool(cell.outputs) == ("nbval-check-output" in tags(cell)), cell.id
        assert bool(cell.execution_count) == bool(cell.outputs), cell.id


def test_test_cells_open_with_a_sentence_and_end_in_marks(chapter):
    for exercise in solutions(chapter):
        cells = cells_that_grade(chapter, exercise)
        assert cells, exercise
        hidden = 0
        for cell in cells.values():
            assert len(ast.get_docstring(ast.parse(cell.source)) or "") > 20, cell.id
            assert cell.source.rstrip().endswith("verify.marks()"), cell.id
            assert grader(cell)["locked"] and not grader(cell)["solution"]
            hidden += cell.source.count("### BEGIN HIDDEN TESTS")
        assert hidden, f"{exercise} has no hidden test"


def test_each_exercise_has_box_hints_and_check(chapter):
    sources = [c.source for c in cells_of(chapter)]
    for exercise in solutions(chapter):
        assert any(re.search(rf'check\("{exercise}", {exercise}\)', s) for s in sources), f"{exercise}: no check cell"
    boxes = re.findall(r"[●○]{3}", prose(chapter))
    hints = re.findall(r"<summary>.*?Hint (\d)", prose(chapter))
    assert len(boxes) >= len({e for e in solutions(chapter)}) * 0.7
    assert hints.count("1") == hints.count("2") == hints.count("3") >= 8


def test_size_is_readable(chapter):
    words = len(re.findall(r"\b\w+\b", re.sub(r"<[^>]+>|`[^`]*`|\$[^$]*\$", " ", prose(chapter))))
    assert 60 <= len(cells_of(chapter)) <= 110
    assert 2500 <= words <= 7000, words


def test_stub_keeps_signature_and_docstring(chapter):
    for exercise, source in solutions(chapter).items():
        before = source.split("### BEGIN SOLUTION")[0]
        assert re.search(rf"(def|class) {exercise}\b", before), exercise
        assert '"""' in before, f"{exercise}: the stub has no docstring"


def test_claims_of_the_chapter_are_all_there(chapter):
    code = "\n".join(c.source for c in cells_of(chapter, "code"))
    found = set()
    for ids in re.findall(r'\badd\(\s*"([ABM0-9\- ]+)"', code):
        found |= set(ids.split())
    missing = [i for i in CLAIMS[chapter] if i not in found]
    assert not missing, missing


def test_closing_parts_are_there(chapter):
    name = chapter.split("_", 1)[1]
    code = "\n".join(c.source for c in cells_of(chapter, "code"))
    assert f'quiz("{name}")' in code and f'summary("{name}")' in code
    assert len(re.findall(r"[一-鿿]{2,}", prose(chapter))) >= 20, "terms English–中文"
    assert re.search(r"(?i)references", prose(chapter))


def test_ids_are_stable_and_readable(chapter):
    ids = [c.id for c in cells_of(chapter)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9_-]{2,63}", i) for i in ids), ids
    assert not [i for i in ids if re.fullmatch(r"[0-9a-f]{8}(-.*)?", i)], "ids say what the cell is"


def test_figures_go_through_show(chapter):
    for cell in cells_of(chapter, "code"):
        assert "plt.show" not in cell.source and "%matplotlib" not in cell.source, cell.id
        assert cell.source.count("viz.show(") == len(re.findall(r"viz\.show\((?:.|\n)*?alt=", cell.source)), cell.id


def test_nothing_in_it_asks_the_network(chapter):
    for cell in cells_of(chapter):
        assert not re.search(r"<(img|script|link)[^>]+https?://|!\[[^\]]*\]\(https?://", cell.source), cell.id


def test_file_is_in_its_normal_form(chapter):
    (path,) = (ROOT / "solutions" / chapter).glob("*.ipynb")
    text = path.read_text(encoding="utf-8")
    again = nbformat.writes(nbformat.from_dict(json.loads(text)), version=4)
    assert json.loads(again) == json.loads(text)
    nbformat.validate(json.loads(text))
