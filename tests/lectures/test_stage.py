"""The throw-away folder of the stage: what is in it, and that nothing of the user's is touched."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from tformer_course import cli
from tformer_course.lectures import stage
from tformer_course.lectures.kit import find_kit

INSIDE = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)


@pytest.fixture
def folder(tmp_path):
    stage.prepare(find_kit("00"), tmp_path)
    return tmp_path


def test_everything_that_lab_could_remember_is_in_the_folder(tmp_path):
    variables = stage.prepare(find_kit("00"), tmp_path)
    assert all(variables[name].startswith(str(tmp_path)) for name in INSIDE)
    assert not any(os.environ.get(name, "").startswith(str(tmp_path)) for name in INSIDE)


def test_large_type_and_no_chrome_come_from_one_stylesheet(folder):
    text = (folder / "config/custom/custom.css").read_text(encoding="utf-8")
    assert "--jp-content-font-size1" in text and ".tformer-slides" in text


def test_settings_are_those_of_this_lab_and_readable(folder):
    for path in (folder / "settings").rglob("*.jupyterlab-settings"):
        assert json.loads(path.read_text(encoding="utf-8"))


def test_fresh_kernel_does_the_imports(folder):
    (startup,) = (folder / "ipython/profile_default/startup").glob("*.py")
    assert startup.read_text(encoding="utf-8") == find_kit("00").setup_source()


def test_notebook_on_the_stage_is_trusted(folder):
    notebook = nbformat.read(folder / "work/demo.ipynb", as_version=4)
    assert NotebookNotary(data_dir=str(folder / "data")).check_signature(notebook)


def test_answers_of_polls_are_not_where_the_class_could_open_them(folder):
    assert not (folder / "work/kit.md").exists()
    assert "Answer" not in (folder / "work/demo.ipynb").read_text(encoding="utf-8")


def test_unknown_kit_is_refused_in_one_line(capsys):
    assert cli.main(["lecture", "99"]) == 2
    assert "no lecture kit '99'" in capsys.readouterr().err


def test_slides_and_handout_are_written(tmp_path, capsys):
    for command in ("slides", "handout"):
        target = tmp_path / f"{command}.html"
        assert cli.main([command, "00", "-o", str(target)]) == 0
        assert target.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "MB)" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("SIGINT", id="Ctrl-C", marks=pytest.mark.proof),
        pytest.param("SIGTERM", id="kill", marks=pytest.mark.proof),
        pytest.param("SIGHUP", id="terminal closed"),
    ],
)
def test_however_the_command_ends_its_server_and_its_folder_are_gone(name, tmp_path, root):
    command = [sys.executable, "-m", "tformer_course.cli", "lecture", "00", "--no-browser"]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"}

    def as_in_a_terminal() -> None:  # a job in the background would inherit that Ctrl-C is ignored
        signal.signal(getattr(signal, name), signal.SIG_DFL)

    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, preexec_fn=as_in_a_terminal
    ) as process:
        address = next(line.split(": ", 1)[1] for line in process.stdout if line.startswith("Speaker's page"))
        assert list(tmp_path.glob("tformer-lecture-*"))
        process.send_signal(getattr(signal, name))
        try:
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert list(tmp_path.glob("tformer-lecture-*")) == []
    with pytest.raises(OSError):
        urllib.request.urlopen(address.strip(), timeout=2)
