"""notebooks/ is what nbgrader makes of solutions/, byte for byte; what can't be released is refused."""

import nbformat
import pytest

from tformer_course.grading.release import HIDDEN, ReleaseError, build, chapters, committed, normalise, release_diff
from tformer_course.grading.release import release as write_release

ANSWER = "def f():\n    ### BEGIN SOLUTION\n    return 42\n    ### END SOLUTION"
TEST = "assert f() == 42\n### BEGIN HIDDEN TESTS\nassert f() + 1 == 43\n### END HIDDEN TESTS"


def graded(source, name, **flags):
    metadata = {"schema_version": 3, "grade": False, "solution": False, "locked": False, "task": False}
    metadata |= {"grade_id": name, **flags}
    return nbformat.v4.new_code_cell(source, id=f"cell-{name}", metadata={"nbgrader": metadata})


@pytest.fixture
def course(tmp_path, root):
    """A checkout with one small chapter."""
    (tmp_path / "nbgrader_config.py").write_bytes((root / "nbgrader_config.py").read_bytes())
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})
    notebook.metadata["language_info"] = {"name": "python"}
    test = graded(TEST, "t", grade=True, locked=True, points=1)
    test.outputs = [nbformat.v4.new_output("stream", text="an output")]
    notebook.cells = [nbformat.v4.new_markdown_cell("# T", id="title"), graded(ANSWER, "f", solution=True), test]
    folder = tmp_path / "solutions" / "01_small"
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / "small.ipynb")
    (folder / "data.txt").write_text("support")
    return tmp_path


def edit(course, change):
    path = course / "solutions/01_small/small.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


# --- this checkout -------------------------------------------------------------------------------------------------


def test_notebooks_are_up_to_date(root):
    assert release_diff(root) == []


def test_no_answer_is_in_notebooks(root):
    for name in chapters(root):
        for relative, data in committed(name, root).items():
            assert HIDDEN.encode() not in data and b"BEGIN SOLUTION" not in data, relative


def test_making_notebooks_leaves_no_gradebook(root):
    for name in chapters(root)[:1]:
        had = (root / "gradebook.db").exists()
        build(name, root)
        assert (root / "gradebook.db").exists() == had


# --- a small chapter -----------------------------------------------------------------------------------------------


def test_answers_hidden_tests_and_outputs_are_gone_and_the_stub_is_friendly(course):
    files = build("01_small", course)
    text = files["small.ipynb"].decode()
    assert "return 42" not in text and "HIDDEN" not in text and "an output" not in text
    assert 'raise NotImplementedError(\\"write your answer here, then delete this line\\")' in text
    assert files["data.txt"] == b"support"
    nbformat.validate(nbformat.reads(text, as_version=4))


def test_two_builds_are_the_same_bytes_with_the_same_cell_ids(course):
    first, second = build("01_small", course), build("01_small", course)
    assert first == second
    assert first["small.ipynb"].endswith(b"}\n") and not first["small.ipynb"].endswith(b"\n\n")
    ids = [cell.id for cell in nbformat.reads(first["small.ipynb"].decode(), as_version=4).cells]
    assert ids == ["title", "cell-f", "cell-t"]


def test_release_writes_what_changed_and_then_nothing(course):
    assert release_diff(course) != []
    assert write_release("01_small", course) == ["data.txt", "small.ipynb"]
    assert write_release("01_small", course) == [] and release_diff(course) == []
    edit(course, lambda notebook: notebook.cells[0].update(source="# New"))
    (difference,) = release_diff(course)
    assert "notebooks/01_small/small.ipynb: differs" in difference and "# New" in difference
    assert write_release("01_small", course) == ["small.ipynb"]


def test_a_file_left_over_is_named_and_removed(course):
    write_release("01_small", course)
    (course / "notebooks/01_small/old.txt").write_text("")
    assert ["old.txt" in text for text in release_diff(course)] == [True]
    assert write_release("01_small", course) == ["old.txt"]
    (course / "notebooks/02_gone").mkdir()
    assert release_diff(course) == ["notebooks/02_gone: has no source in solutions/"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda n: n.cells[2].metadata.nbgrader.update(grade_id="f"), "grade_id used twice: f"),
        (lambda n: n.cells[2].update(source=TEST.replace("### END HIDDEN TESTS", "")), "HIDDEN TESTS|refused"),
        (lambda n: n.cells[2].metadata.nbgrader.pop("points"), "refused 01_small"),
    ],
)
def test_what_cannot_be_released_is_refused_with_the_reason(course, change, reason):
    edit(course, change)
    with pytest.raises(ReleaseError, match=reason):
        build("01_small", course)


def test_cells_without_ids_are_refused(course):
    def strip(notebook):
        notebook.nbformat_minor = 4
        for cell in notebook.cells:
            cell.pop("id")

    edit(course, strip)
    with pytest.raises(ReleaseError, match="no ids"):
        build("01_small", course)


def test_a_chapter_that_is_not_there_is_named(course):
    with pytest.raises(ReleaseError, match=r"no chapter solutions/07_none/. Chapters: 01_small"):
        build("07_none", course)


def test_a_hidden_test_that_survives_is_refused():
    with pytest.raises(ReleaseError, match="hidden test survived"):
        normalise(f"### {HIDDEN}".encode())
