"""What students get: all they need, no answer, the same bytes each time."""

import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from tformer_course.grading import bundle
from tformer_course.grading.bundle import NAME, BundleError, contents, leaks, write_bundle, write_zip
from tformer_course.grading.release import chapters


@pytest.fixture(scope="module")
def files(root):
    return contents(root)


def test_all_that_a_student_needs_is_in_it(files, root):
    for name in ("course.py", "pyproject.toml", "constraints.txt", "environment.yml", "README.md", "setup.py"):
        assert name in files
    assert "tformer_course/launch.py" in files and "tformer_course/environment.py" in files
    for path in (root / "notebooks").glob("*/*.ipynb"):
        assert path.relative_to(root).as_posix() in files


def test_the_readme_is_for_students(files):
    text = files["README.md"].decode()
    assert "course.py lab" in text and "solutions/" not in text and "--cpu" in text


def test_nothing_of_the_answers_is_in_it(files):
    assert leaks(files) == []
    for name, data in files.items():
        assert not name.startswith(("solutions/", "tests/", "dist/")), name
        if name.endswith(".ipynb"):
            assert b"HIDDEN TESTS" not in data and b"SOLUTION" not in data, name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("solutions/01/a.ipynb", "{}"),
        ("tests/answers/01/right/x.py", ""),
        ("gradebook.db", ""),
        ("notebooks/01/a.ipynb", "### BEGIN HIDDEN TESTS"),
        ("notebooks/01/a.ipynb", "### BEGIN SOLUTION"),
        ("notebooks/01/submitted/x.ipynb", "{}"),
    ],
)
def test_a_leak_is_found(name, text):
    assert leaks({name: text.encode()})


def test_a_leak_stops_the_bundle(root, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "release_diff", lambda root: [])
    monkeypatch.setattr(bundle, "contents", lambda root: {"notebooks/01/a.ipynb": b"### BEGIN HIDDEN TESTS"})
    with pytest.raises(BundleError, match="must not get this"):
        write_bundle(root, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_stale_notebooks_stop_the_bundle(root, tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "release_diff", lambda root: ["notebooks/x: differs\n- more"])
    with pytest.raises(BundleError, match="not up to date"):
        write_bundle(root, tmp_path)


def test_the_zip_is_the_same_each_time(tmp_path):
    files = {"b.txt": b"2" * 1000, "a/c.txt": b"1"}
    write_zip(files, tmp_path / "one.zip")
    write_zip(dict(reversed(files.items())), tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert {entry.date_time for entry in zipfile.ZipFile(tmp_path / "one.zip").infolist()} == {bundle.DATE}
    assert zipfile.ZipFile(tmp_path / "one.zip").namelist() == [f"{NAME}/a/c.txt", f"{NAME}/b.txt"]


@pytest.mark.slow
def test_the_package_and_the_notebooks_work_from_the_folder(root, tmp_path):
    """Unzipped elsewhere: the package imported is the bundle's own, its commands start, the notebooks are whole."""
    folder, archive = write_bundle(root, tmp_path / "dist")
    shutil.unpack_archive(archive, tmp_path / "student")
    place = tmp_path / "student" / NAME
    assert sorted(p.relative_to(place) for p in place.rglob("*")) == sorted(
        p.relative_to(folder) for p in folder.rglob("*")
    )
    variables = {**os.environ, "PYTHONPATH": str(place)}
    code = (
        "import pathlib, nbformat, tformer_course, tformer_course.assets as a\n"
        f"assert pathlib.Path(tformer_course.__file__).parent.parent == pathlib.Path({str(place)!r}).resolve()\n"
        "books = sorted(pathlib.Path('notebooks').glob('*/*.ipynb'))\n"
        "[nbformat.validate(nbformat.read(b, as_version=4)) for b in books]\n"
        "print(len(books))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=place, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= len(chapters(root))
    done = subprocess.run([sys.executable, "course.py", "--here", "doctor"], cwd=place, env=variables, text=True)
    assert done.returncode == 0
