"""The instructor's loop on real nbgrader: release, submit, collect, autograde, grade by hand, feedback, export.

Three students: one hands in the solution, one makes four typical mistakes, one hands in the untouched notebook.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest

from tests.answers.bank import answers, grade, points, solutions
from tformer_course.grading.feedback import hidden_lines, squash

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
CHAPTER, NOTEBOOK = "01_attention", "attention"
MISTAKEN = {
    "scaled_dot_product_attention": "no_scaling",
    "causal_mask": "diagonal_excluded",
    "padding_mask": "one_too_many",
    "layer_cost": "cnn_path_one",
}


def wrong_answers() -> dict[str, str]:
    """Four typical mistakes, from the answer bank."""
    bank = {(a.exercise, a.mistake): a.source for a in answers(CHAPTER) if not a.right}
    chosen = {}
    for exercise, mistake in MISTAKEN.items():
        options = [source for (e, m), source in bank.items() if e == exercise and m == mistake]
        assert options, f"the bank has no wrong {exercise} with the mistake {mistake}"
        chosen[exercise] = options[0]
    return chosen


def hand_in(folder: Path, changed: dict[str, str]) -> None:
    """Writes answers into the fetched notebook, as a student does."""
    path = folder / CHAPTER / f"{NOTEBOOK}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in changed and cell.metadata.nbgrader.solution:
            cell.source = changed[name]
    nbformat.write(notebook, path)


class Course:
    """A course folder, an exchange and three students in a temporary folder; every command is nbgrader's own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "course"
        shutil.copytree(ROOT / "solutions" / CHAPTER, self.folder / "solutions" / CHAPTER)
        exchange = root / "exchange"
        exchange.mkdir(mode=0o777)
        exchange.chmod(0o777)
        config = (ROOT / "nbgrader_config.py").read_text(encoding="utf-8")
        config += f"\nc.Exchange.root = {str(exchange)!r}\nc.Exchange.cache = {str(root / 'cache')!r}\n"
        (self.folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
        self.env = dict(os.environ) | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(root),
            "JUPYTER_CONFIG_DIR": str(root / "jupyter"),
            "JUPYTER_DATA_DIR": str(root / "jupyter-data"),
            "PYTHONPATH": str(ROOT),
            "JUPYTER_PLATFORM_DIRS": "1",
            # This course's own setting, formgrader on, goes before that of an environment made for students.
            "JUPYTER_PREFER_ENV_PATH": "0",
        }

    def nbgrader(self, *args: str, cwd: Path | None = None) -> str:
        """Runs one nbgrader command and fails with what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *args],
            cwd=cwd or self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, f"nbgrader {' '.join(args)}:\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def student(self, name: str, changed: dict[str, str]) -> None:
        """Fetches, answers and submits."""
        home = self.root / name
        home.mkdir()
        shutil.copy(self.folder / "nbgrader_config.py", home)
        self.nbgrader("fetch_assignment", CHAPTER, cwd=home)
        hand_in(home, changed)
        self.nbgrader("submit", CHAPTER, f"--student={name}", cwd=home)


class Formgrader:
    """nbgrader's formgrader in a running Jupyter server."""

    def __init__(self, course: Course) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        settings = {"ServerApp": {"jpserver_extensions": {"nbgrader.server_extensions.formgrader": True}}}
        config = course.root / "jupyter"
        config.mkdir(exist_ok=True)
        (config / "jupyter_server_config.json").write_text(json.dumps(settings), encoding="utf-8")
        command = [sys.executable, "-m", "jupyter", "server", "--no-browser", f"--port={port}", "--allow-root"]
        command += ["--IdentityProvider.token=loop"]
        self.log = open(course.root / "server.log", "w+")  # noqa: SIM115
        self.server = subprocess.Popen(
            command, cwd=course.folder, env=course.env, stdout=self.log, stderr=subprocess.STDOUT
        )

    def __enter__(self) -> Formgrader:
        for _ in range(120):
            try:
                self.get("/api/status")
                return self
            except (urllib.error.URLError, ConnectionError):
                assert self.server.poll() is None, self._said()
                time.sleep(0.5)
        raise AssertionError(self._said())

    def __exit__(self, *_) -> None:
        self.server.terminate()
        self.server.wait(30)
        self.log.close()

    def _said(self) -> str:
        self.log.seek(0)
        return self.log.read()

    def get(self, path: str, data: dict | None = None):
        """GET, or PUT where data is given; JSON where the answer is JSON."""
        request = urllib.request.Request(
            self.url + path,
            data=json.dumps(data).encode() if data is not None else None,
            method="GET" if data is None else "PUT",
            headers={"Authorization": "token loop", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read().decode()
        return json.loads(text) if text.startswith(("[", "{")) else text

    def grades(self, student: str) -> list[dict]:
        """All grades of one student's notebook."""
        submissions = self.get(f"/formgrader/api/submitted_notebooks/{CHAPTER}/{NOTEBOOK}")
        (mine,) = [s for s in submissions if s["student"] == student]
        return self.get(f"/formgrader/api/grades?submission_id={mine['id']}")


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    """Runs the whole loop once and returns what each step left."""
    course = Course(tmp_path_factory.mktemp("loop"))
    left: dict = {"course": course}
    course.nbgrader("generate_assignment", CHAPTER)
    course.nbgrader("release_assignment", CHAPTER)
    course.student("alice", solutions(CHAPTER))
    course.student("bob", solutions(CHAPTER) | wrong_answers())
    course.student("carol", {})
    left["collect"] = course.nbgrader("collect", CHAPTER)
    left["autograde"] = course.nbgrader("autograde", CHAPTER)
    with Formgrader(course) as formgrader:
        left["page"] = formgrader.get("/formgrader/manage_assignments")
        left["grades"] = {name: formgrader.grades(name) for name in ("alice", "bob", "carol")}
        for name, score in (("alice", 2), ("bob", 1)):
            (written,) = [g for g in left["grades"][name] if g["name"].startswith("written_")]
            left[f"by hand {name}"] = formgrader.get(f"/formgrader/api/grade/{written['id']}", {"manual_score": score})
    course.nbgrader("generate_feedback", CHAPTER)
    course.nbgrader("release_feedback", CHAPTER)
    course.nbgrader("export", "--to", "grades.csv")
    left["feedback"] = {
        name: (course.folder / "feedback" / name / CHAPTER / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
        for name in ("alice", "bob", "carol")
    }
    with open(course.folder / "grades.csv", newline="", encoding="utf-8") as table:
        left["csv"] = {row["student_id"]: row for row in csv.DictReader(table)}
    return left


def auto_scores(loop: dict, student: str) -> dict[str, float]:
    return {g["name"]: g["auto_score"] for g in loop["grades"][student] if g["name"].startswith("test_")}


def full_marks() -> dict[str, float]:
    return {cell: p for e in solutions(CHAPTER) for cell, p in points(CHAPTER, e).items()}


def test_solution_gets_every_automatic_point(loop):
    assert auto_scores(loop, "alice") == full_marks()


def test_untouched_notebook_gets_nothing(loop):
    assert auto_scores(loop, "carol") == dict.fromkeys(full_marks(), 0.0)


def test_real_nbgrader_and_the_fast_path_agree(loop):
    expected = full_marks()
    for exercise, source in wrong_answers().items():
        expected |= grade(CHAPTER, exercise, source).in_place
    assert auto_scores(loop, "bob") == expected
    assert sum(expected.values()) < sum(full_marks().values())


def test_formgrader_opens_and_keeps_marks_given_by_hand(loop):
    assert "formgrader" in loop["page"].lower()
    assert loop["by hand alice"]["manual_score"] == 2


def test_export_has_one_row_per_student(loop):
    scores = {name: float(row["score"]) for name, row in loop["csv"].items()}
    assert set(scores) == {"alice", "bob", "carol"}
    assert scores["alice"] == float(loop["csv"]["alice"]["max_score"]) == 20
    assert scores["carol"] == 0 < scores["bob"] < 20


def test_feedback_says_what_was_wrong(loop):
    page = squash(re.sub(r"<[^>]+>", "", loop["feedback"]["bob"]))
    for exercise, source in wrong_answers().items():
        for line in grade(CHAPTER, exercise, source).failed:
            assert squash(line.split(":")[0]) in page
    assert squash("not done yet") in squash(loop["feedback"]["carol"])


def test_feedback_shows_no_hidden_test_and_no_solution(loop):
    master = nbformat.read(ROOT / "solutions" / CHAPTER / f"{NOTEBOOK}.ipynb", as_version=4)
    secret = hidden_lines(master)
    tests_only = [c for c in master.cells if c.metadata.get("nbgrader", {}).get("grade")]
    hidden_tests = {line for line in secret if any(line in squash(c.source) for c in tests_only)}
    assert len(hidden_tests) > 20 and len(secret) > len(hidden_tests), "the lists are not empty"
    for student, page in loop["feedback"].items():
        import html

        text = squash(re.sub(r"<[^>]+>", "", html.unescape(page)))
        # Alice's answers are the solution itself; Bob's are, but for four.
        lines = hidden_tests if student in ("alice", "bob") else secret
        assert [line for line in lines if line in text] == [], student


def test_nothing_is_left_ungraded(loop):
    assert "bob" in loop["collect"] and "carol" in loop["collect"]
    assert "error" not in loop["autograde"].lower()
