"""Restoring: from a student come sources and the order of own cells; everything else is the course's."""

from __future__ import annotations

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

from tests.grading.mini import COUNT, MIX, POINTS, TEST_MIX
from tformer_course.grading.restore import SKIP, restore


@pytest.fixture
def submitted(shared_course):
    return shared_course.answered(all="right")


def names(notebook):
    return [c.metadata.nbgrader.grade_id for c in notebook.cells if c.metadata.get("nbgrader")]


def cell(notebook, name):
    (found,) = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
    return found


ALL = ["mix", "test_mix", "count_ones", "test_count_ones", "noise", "test_noise", "written_mini"]


def test_honest_notebook_keeps_its_cells(master, submitted):
    restored = restore(submitted, master)
    nbformat.validate(restored)
    assert names(restored) == ALL
    assert cell(restored, "mix").source == MIX
    assert cell(restored, "test_mix").source == TEST_MIX, "hidden tests are back"
    assert len(restored.cells) == len(submitted.cells)


def test_restoring_twice_changes_nothing(master, submitted):
    once = restore(submitted, master)
    assert nbformat.writes(restore(once, master)) == nbformat.writes(once)


@pytest.mark.parametrize("tag", ["skip-execution", "demo", "raises-exception", "nbval-skip"])
def test_tags_of_a_submission_count_for_nothing(master, submitted, tag):
    for one in submitted.cells:
        one.metadata["tags"] = [tag]
    restored = restore(submitted, master)
    assert [c.id for c in restored.cells if c.metadata.get("tags")] == ["a-demo"]


def test_flags_points_and_types_come_from_the_gradebook(master, submitted):
    for one in submitted.cells:
        if one.metadata.get("nbgrader"):
            one.metadata.nbgrader.update(points=99, grade=False, solution=False, locked=False, schema_version=1)
    cell(submitted, "test_mix").cell_type = "markdown"
    restored = restore(submitted, master)
    assert cell(restored, "test_mix").metadata.nbgrader.points == POINTS["test_mix"]
    assert cell(restored, "test_mix").cell_type == "code"
    assert cell(restored, "written_mini").metadata.nbgrader.solution is True
    assert cell(restored, "mix").metadata.nbgrader.schema_version == 3


def test_edited_test_is_restored(master, submitted):
    cell(submitted, "test_mix").source = "2.0"
    assert cell(restore(submitted, master), "test_mix").source == TEST_MIX


def test_copied_test_becomes_a_plain_cell(master, submitted):
    submitted.cells.append(copy.deepcopy(cell(submitted, "test_mix")))
    restored = restore(submitted, master)
    assert sorted(names(restored)) == sorted(ALL)
    assert len({c.id for c in restored.cells}) == len(restored.cells)


def test_last_copy_of_an_answer_counts(master, submitted):
    copied = copy.deepcopy(cell(submitted, "count_ones"))
    copied.source = "def count_ones(mask): return 1"
    submitted.cells.insert(submitted.cells.index(cell(submitted, "count_ones")) + 1, copied)
    assert cell(restore(submitted, master), "count_ones").source == copied.source


def test_deleted_tests_come_back_after_the_students_cells(master, submitted):
    late = new_code_cell(COUNT)
    submitted.cells = [c for c in submitted.cells if not c.metadata.get("nbgrader", {}).get("grade")] + [late]
    restored = restore(submitted, master)
    assert [n for n in names(restored) if n.startswith("test_")] == list(POINTS)
    sources = [c.source for c in restored.cells]
    assert sources.index(COUNT) < [c.id for c in restored.cells].index("test-noise")
    assert cell(restored, "written_mini").source.startswith("*Write your answer")
    assert "MARK SCHEME" not in cell(restored, "written_mini").source


def test_deleted_answer_is_not_replaced_by_the_stub(master, submitted):
    own = new_code_cell("def mix(q, k, v):\n    return v")
    submitted.cells = [own if c.metadata.get("nbgrader", {}).get("grade_id") == "mix" else c for c in submitted.cells]
    restored = restore(submitted, master)
    assert "mix" not in names(restored) and own.source in [c.source for c in restored.cells]


def test_shuffled_cells_come_in_the_courses_order(master, submitted):
    submitted.cells.reverse()
    assert names(restore(submitted, master)) == ALL


def test_ids_help_where_nbgrader_names_are_lost(master, submitted):
    for one in submitted.cells:
        one.metadata = {}
    assert names(restore(submitted, master)) == ALL


def test_demos_are_known_by_source_where_ids_are_lost(master, submitted):
    for i, one in enumerate(submitted.cells):
        one["id"] = f"colab-{i}"
    restored = restore(submitted, master)
    assert [SKIP in c.metadata.get("tags", []) for c in restored.cells if "sleep(30)" in c.source] == [True]


def test_own_cell_with_a_demo_id_is_skipped_and_a_test_never_is(master, submitted):
    submitted.cells[0] = new_code_cell("print('mine')", id="a-demo")
    cell(submitted, "test_mix")["id"] = "a-demo"
    restored = restore(submitted, master)
    assert cell(restored, "test_mix").metadata.tags == []
    assert sum(SKIP in c.metadata.get("tags", []) for c in restored.cells) == 1


def test_unknown_grade_ids_are_plain_cells(master, submitted):
    forged = new_code_cell("1", metadata={"nbgrader": {"grade_id": "test_extra", "grade": True, "points": 100}})
    submitted.cells.append(forged)
    assert names(restore(submitted, master)) == ALL


def test_untouched_written_answer_is_known_as_one(master, shared_course, submitted):
    from nbgrader.utils import determine_grade

    restored = restore(submitted, master)
    assert determine_grade(cell(restored, "written_mini")) == (0, 2.0)
    cell(submitted, "written_mini").source = "Because of the variance."
    assert determine_grade(cell(restore(submitted, master), "written_mini")) == (None, 2.0)


def test_markup_of_students_is_defused_and_that_of_the_course_kept(master, submitted):
    submitted.cells.append(new_markdown_cell("<script>alert(1)</script>"))
    submitted.cells.append(new_raw_cell("<img src=x onerror=alert(1)>"))
    cell(submitted, "written_mini").source = "a < b <iframe src='//evil'></iframe>"
    restored = restore(submitted, master)
    assert "<details>" in restored.cells[0].source
    assert restored.cells[-2].source.startswith("&lt;script")
    assert restored.cells[-1].cell_type == "markdown" and restored.cells[-1].source.startswith("    <img")
    assert "<iframe" not in cell(restored, "written_mini").source
