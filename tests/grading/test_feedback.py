"""Feedback pages show what was wrong, and no line of a hidden test."""

from __future__ import annotations

import html
import re
import time

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell

from tests.grading.conftest import needs_sandbox
from tests.grading.here import graded
from tests.grading.hostile import Page, attacks
from tests.grading.mini import ASSIGNMENT, NOTEBOOK
from tformer_course.grading.feedback import REMOVED, HideTests, divided, hidden_lines, squash
from tformer_course.grading.rewrite import for_kernel

TEST_CELL = """verify("visible judgement name", lambda: f(1), expected=lambda: 2)
### BEGIN HIDDEN TESTS
verify("a hidden judgement", lambda: f(3), expected=lambda: slow_oracle_of_f(3))
x = 1
### END HIDDEN TESTS
verify.marks()"""
GRADED = {"grade": True, "solution": False, "locked": True, "grade_id": "test_f", "points": 1, "schema_version": 3}


def page(*outputs, extra=()):
    test = new_code_cell(TEST_CELL, metadata={"nbgrader": GRADED}, outputs=list(outputs))
    return new_notebook(cells=[new_markdown_cell("text"), test, *extra])


def cleaned(notebook) -> str:
    HideTests().preprocess(notebook, {})
    return nbformat.writes(notebook)


def test_hidden_region_goes_and_the_rest_stays():
    said = cleaned(page(new_output("stream", name="stdout", text="✗ a hidden judgement: off by 1\n")))
    assert "visible judgement name" in said and "verify.marks()" in said
    assert "slow_oracle_of_f" not in said and "HIDDEN" not in said
    assert "✗ a hidden judgement: off by 1" in said, "the sentence on what was wrong stays"


def test_traceback_of_a_test_cell_becomes_one_line():
    error = new_output(
        "error", ename="TypeError", evalue="'NoneType' object is not callable", traceback=["----> 3 verify(…)", "x" * 9]
    )
    notebook = page(error)
    said = cleaned(notebook)
    assert "---->" not in said
    assert notebook.cells[1].outputs[0].traceback == ["TypeError: 'NoneType' object is not callable"]


LEAK = 'verify("a hidden judgement", lambda: f(3), expected=lambda: slow_oracle_of_f(3))'


@pytest.mark.parametrize(
    "leak",
    [
        new_output("stream", name="stdout", text=f"before\n{LEAK}\nafter"),
        new_output("stream", name="stdout", text=repr([TEST_CELL])),
        new_output("stream", name="stderr", text="\x1b[31m" + LEAK.replace(" ", "\x1b[0m \x1b[32m")),
        new_output("execute_result", data={"text/html": f"<pre>{LEAK}</pre>"}),
        new_output("display_data", data={"text/plain": "x", "application/json": {"In": [TEST_CELL]}}),
        new_output("error", ename="ValueError", evalue=LEAK, traceback=[LEAK]),
    ],
    ids=["print", "repr", "colours", "html", "json", "error"],
)
def test_output_of_any_cell_that_repeats_a_hidden_line_goes(leak):
    own = new_code_cell("print(In)", outputs=[leak, new_output("stream", name="stdout", text="mine")])
    notebook = page(extra=[own])
    said = cleaned(notebook)
    assert "slow_oracle_of_f" not in said
    assert own.outputs[0].text == REMOVED and own.outputs[1].text == "mine"


def test_line_as_the_kernel_got_it_goes_too():
    test = new_code_cell('verify = Verify("f", points=1)\n' + TEST_CELL, metadata={"nbgrader": GRADED}, outputs=[])
    sent = for_kernel(test.source, 5).splitlines()
    assert "expected" not in "".join(sent)
    (hidden,) = [line for line in sent if "a hidden judgement" in line]
    (visible,) = [line for line in sent if "visible judgement" in line]
    own = new_code_cell(
        "print(In)", outputs=[new_output("stream", name="stdout", text=line) for line in (hidden, visible)]
    )
    cleaned(new_notebook(cells=[test, own]))
    assert own.outputs[0].text == REMOVED and own.outputs[1].text == visible


def test_lines_that_stand_in_the_open_are_no_secret():
    open_cell = new_code_cell("from tformer_course.checks import Verify  # here too")
    hidden = new_code_cell(
        "### BEGIN HIDDEN TESTS\nfrom tformer_course.checks import Verify\n### END HIDDEN TESTS", metadata={}
    )
    assert hidden_lines(new_notebook(cells=[open_cell, hidden])) == set()


def test_regions_are_found_in_one_pass():
    source = "a\n# BEGIN SOLUTION\nb\n### BEGIN HIDDEN TESTS\nc\n### END HIDDEN TESTS\n# END SOLUTION\nd"
    assert divided(source) == ("a\nd", ["b", "### BEGIN HIDDEN TESTS", "c", "### END HIDDEN TESTS"])
    assert divided("# END SOLUTION\n# BEGIN SOLUTION\nx") == ("# END SOLUTION\n# BEGIN SOLUTION\nx", [])
    began = time.process_time()
    divided("BEGIN SOLUTION\nBEGIN HIDDEN TESTS\n" * 6000 + "END MARK SCHEME\n" * 6000)
    assert time.process_time() - began < 2


@pytest.mark.slow
@needs_sandbox
def test_feedback_page_has_no_script_of_a_student_and_no_hidden_line(course, here):
    named = {a.name: a for a in attacks()}
    notebook = named["script_on_the_page"].notebook(course)
    bad = (
        "<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) <iframe src='//evil'></iframe>"
    )
    notebook.cells += [new_markdown_cell(bad), new_raw_cell(bad), new_code_cell("print(In, seen)\n%history")]
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name == "written_mini":
            cell.source = bad
        if name == "count_ones":
            cell.source = named["hidden_tests_printed"].code
    course.hand_in("alice", notebook)
    assert graded(course)[0] == 0 and course.marks("alice")["test_count_ones"] == 2.0
    assert course.api().generate_feedback(ASSIGNMENT, "alice")["success"]
    text = (course.root / "feedback" / "alice" / ASSIGNMENT / f"{NOTEBOOK}.html").read_text()
    assert Page(text).active == []
    plain = squash(html.unescape(re.sub(r"<[^>]+>", "", text)))
    for secret in ("slow_oracle", "keep=0.3", 'a large mask", lambda', "draw.normal(n, 5)"):
        assert squash(secret) not in plain, secret
    assert Page("<img onerror=alert(1)><script>alert(1)</script>").active, "the test can see what it looks for"
