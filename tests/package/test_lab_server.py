"""A real JupyterLab, started by `course.py lab`: what it shows to a student, and what to an instructor."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tformer_course.environment import INSTRUCTOR_PANELS

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="POSIX process groups")]
ADDRESS = re.compile(r"(http://localhost:\d+)/\S*token=(\w+)")


class Lab:
    """A running server: its address, its token, and its first lines."""

    def __init__(self, root, *options):
        command = [sys.executable, "course.py", "--here", "lab", "--no-browser", *options]
        self.process = subprocess.Popen(
            command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )
        self.said = ""
        limit = time.monotonic() + 120
        while not ADDRESS.search(self.said):
            line = self.process.stdout.readline()
            assert line and time.monotonic() < limit, self.said
            self.said += line
        self.address, self.token = ADDRESS.search(self.said).groups()
        while not self.answers():  # the address is printed a moment before the server listens
            assert self.process.poll() is None and time.monotonic() < limit, self.said
            time.sleep(0.2)

    def answers(self):
        """Whether the server listens by now."""
        try:
            return self.get("api/status")[0] == 200
        except urllib.error.URLError:
            return False

    def get(self, path):
        """(status, text) of one page."""
        request = urllib.request.Request(f"{self.address}/{path}", headers={"Authorization": f"token {self.token}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, ""

    def disabled(self):
        """The page's own list of extensions that it must not start."""
        status, text = self.get("lab")
        assert status == 200
        config = re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', text, re.DOTALL).group(1)
        return {name for name in json.loads(config)["disabledExtensions"] if name.startswith("@jupyter/nbgrader")}

    def stop(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(30)
        self.process.stdout.close()


SETTINGS = ["etc/jupyter/labconfig/page_config.json", "etc/jupyter/jupyter_server_config.json"]


@pytest.fixture(scope="module", autouse=True)
def settings_are_put_back():
    """The settings of this Python's environment are as before when the tests are done."""
    paths = [Path(sys.prefix) / name for name in SETTINGS]
    before = {path: path.read_bytes() if path.exists() else None for path in paths}
    yield
    for path, content in before.items():
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_bytes(content)


@pytest.fixture(scope="class")
def student(root):
    server = Lab(root)
    yield server
    server.stop()


@pytest.fixture(scope="class")
def instructor(root):
    server = Lab(root, "--instructor")
    yield server
    server.stop()


class TestStudent:
    def test_no_panel_for_instructors_is_shown_and_the_server_has_none(self, student):
        assert student.disabled() == {f"@jupyter/nbgrader:{panel}" for panel in INSTRUCTOR_PANELS}
        assert student.get("formgrader")[0] == 404
        assert student.get("formgraders")[0] == 404

    def test_validate_stays(self, student):
        assert student.get("assignments/validate")[0] == 405  # it is there, and wants a POST

    def test_nobody_outside_is_asked_for_news_or_updates(self, student):
        settings = json.loads(student.get("lab/api/settings/@jupyterlab/apputils-extension:notification")[1])
        default = {name: field.get("default") for name, field in settings["schema"]["properties"].items()}
        assert default["fetchNews"] == "false" and default["checkForUpdates"] is False

    def test_the_first_notebook_is_opened(self, student, root):
        if (root / "notebooks/01_attention/attention.ipynb").exists():
            assert "/lab/tree/notebooks/01_attention/attention.ipynb" in student.said


class TestInstructor:
    def test_all_panels_are_shown_and_formgrader_opens(self, instructor):
        assert instructor.disabled() == set()
        assert instructor.get("formgrader")[0] == 200
