"""The claims table and the quiz: contents checked, texts escaped, keys tested."""

import doctest

import pytest

from tformer_course.checks import ClaimsTable, claims, quiz
from tformer_course.checks.claims import ClaimError
from tformer_course.checks.core.exercise import CHAPTERS
from tformer_course.checks.quiz import Option, Question, questions, quiz_html


def written():
    for chapter in CHAPTERS:
        try:
            yield from [pytest.param(q, id=f"{chapter}-{i}") for i, q in enumerate(questions(chapter), 1)]
        except ValueError:
            continue


@pytest.fixture
def shown(monkeypatch):
    found = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: found.append(data))
    return found


def test_doctests_hold():
    assert doctest.testmod(claims).failed == 0


def test_the_table_escapes_texts_and_counts_ids(shown):
    table = ClaimsTable("01_attention")
    table.add("A-017 B-007", "1 < 2 <script>", verdict="correct", computed=True)
    table.add("M-01", "x", verdict="wrong", correction="y & z")
    table.show()
    (data,) = shown
    assert "1 &lt; 2 &lt;script&gt;" in data["text/html"] and "y &amp; z" in data["text/html"]
    assert table.ids == ("A-017", "B-007", "M-01")
    assert data["text/plain"].startswith("01_attention: 3 claims; 2 correct, 1 wrong; 2 of the verdicts")


def test_a_computation_that_contradicts_its_verdict_raises(shown):
    table = ClaimsTable("01_attention")
    table.add("A-001", "x", verdict="correct", computed=False)
    with pytest.raises(ClaimError, match="A-001"):
        table.show()
    assert not shown


@pytest.mark.parametrize(
    ("ids", "settings"),
    [
        ("A17", {"verdict": "correct"}),
        ("", {"verdict": "correct"}),
        ("A-001", {"verdict": "true"}),
        ("A-001", {"verdict": "wrong"}),
        ("A-002 A-002", {"verdict": "correct"}),
        ("A-003", {"verdict": "correct"}),
    ],
)
def test_bad_rows_are_refused(ids, settings):
    table = ClaimsTable("01_attention")
    table.add("A-003", "x", verdict="correct")
    with pytest.raises(ValueError):
        table.add(ids, "x", **settings)


@pytest.mark.parametrize("question", list(written()))
def test_a_question_is_well_formed(question):
    assert question.text.rstrip().endswith(("?", "…", "right."))
    assert len({o.text for o in question.options}) == len(question.options)
    assert all(o.why.endswith((".", "?")) for o in question.options)


@pytest.mark.parametrize("chapter", ["attention"])
def test_right_answers_stand_in_different_places(chapter):
    assert len({q.right for q in questions(chapter)}) >= 3 and len(questions(chapter)) >= 8


def test_the_quiz_is_folds_with_one_right_answer_each(shown):
    page = quiz_html("attention")
    assert page.count("✓ Right.") == len(questions("attention"))
    assert page.count("<details") == sum(len(q.options) for q in questions("attention"))
    assert "<details open" not in page
    quiz("attention")
    assert shown[0]["text/html"] == page and "✓" not in shown[0]["text/plain"]


def test_bad_questions_are_refused():
    options = [Option("a", "b."), Option("c", "d."), Option("e", "f.")]
    for bad in ({"options": options[:2], "right": 0}, {"options": options, "right": 3}):
        with pytest.raises(ValueError):
            Question("q?", **bad)
    with pytest.raises(ValueError):
        Question("q?", [*options, Option("g", " ")], right=0)
    with pytest.raises(ValueError, match="no quiz"):
        questions("nothing")
