"""The course's own environment: made once, finished or repaired, failures in two sentences, Jupyter's settings."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tformer_course import environment as environment_module
from tformer_course.environment import INSTRUCTOR_PANELS, STAMP, Environment, SetupError
from tformer_course.pip_failures import explain


@pytest.fixture
def place(tmp_path):
    """A checkout's outline with an environment that is not made yet."""
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "constraints.txt").write_text("torch==2.13.0\n")
    return Environment(tmp_path, tmp_path / ".venv")


@pytest.fixture
def quick(place, monkeypatch):
    """The same, with the slow steps recorded instead of done."""
    place.steps = []

    def create():
        place.steps.append("create")
        place.folder.mkdir(exist_ok=True)

    monkeypatch.setattr(place, "create", create)
    monkeypatch.setattr(place, "pip", lambda *arguments: place.steps.append(("pip", *arguments)))
    monkeypatch.setattr(place, "runs", lambda: True)
    return place


def test_the_second_call_does_nothing(quick):
    quick.prepare()
    assert quick.steps == ["create", ("pip", "-e", ".")]
    quick.prepare()
    assert len(quick.steps) == 2


@pytest.mark.parametrize("file", ["pyproject.toml", "constraints.txt"])
def test_changed_pins_or_requirements_install_again_in_the_same_environment(quick, file):
    quick.prepare()
    (quick.root / file).write_text("# new\n")
    quick.prepare()
    assert quick.steps[2:] == [("pip", "-e", ".")]


def test_another_python_or_a_moved_folder_is_noticed(place, tmp_path, monkeypatch):
    before = place.fingerprint()
    monkeypatch.setattr(environment_module.sys, "version_info", (3, 99, 0))
    assert place.fingerprint() != before
    monkeypatch.undo()
    assert place.fingerprint() == before
    (tmp_path / "moved").mkdir()
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / "moved" / name).write_text((tmp_path / name).read_text())
    assert Environment(tmp_path / "moved", tmp_path / ".venv").fingerprint() != before


def test_the_dev_extra_is_added_once_and_kept(quick):
    quick.prepare()
    quick.prepare(extra="dev")
    quick.prepare(extra="dev")
    quick.prepare()
    assert quick.steps[2:] == [("pip", "-e", ".[dev]")]


def test_the_cpu_build_is_taken_first_and_remembered(quick):
    quick.prepare(cpu=True)
    assert quick.steps[1][-1] == "torch" and "--index-url" in quick.steps[1]
    quick.prepare(extra="dev")
    assert quick.steps[3:] == [("pip", "-e", ".[dev]")]
    quick.prepare(cpu=True)
    assert len(quick.steps) == 4


def test_no_other_index_is_named_unless_asked(quick):
    quick.prepare()
    assert "--index-url" not in str(quick.steps)


def test_a_killed_installation_is_made_again(quick, capsys):
    quick.prepare()
    quick.write_stamp(state="installing")
    (quick.folder / "half a package").write_text("")
    quick.prepare()
    assert "making it again" in capsys.readouterr().out
    assert not (quick.folder / "half a package").exists()
    assert quick.steps[2:] == ["create", ("pip", "-e", ".")]


def test_a_ready_environment_whose_python_is_gone_is_made_again(quick, monkeypatch):
    quick.prepare()
    monkeypatch.setattr(quick, "runs", lambda: False)
    quick.prepare()
    assert quick.steps[2:] == ["create", ("pip", "-e", ".")]


def test_a_damaged_stamp_is_no_stamp(quick):
    quick.prepare()
    (quick.folder / STAMP).write_text('{"state": "rea')
    assert quick.stamp() == {} and not quick.is_ready()


def test_a_folder_that_somebody_else_made_is_not_deleted(quick):
    quick.folder.mkdir()
    (quick.folder / "precious").write_text("")
    with pytest.raises(SetupError, match="did not make"):
        quick.prepare()
    assert (quick.folder / "precious").exists()
    quick.delete()  # `setup --fresh`
    assert not quick.folder.exists()


def test_an_environment_of_conda_is_left_alone(tmp_path):
    other = Environment(tmp_path, tmp_path / "conda", managed=False)
    other.prepare(extra="dev", cpu=True)
    assert str(other.python) == sys.executable
    with pytest.raises(SetupError, match="not course.py's own"):
        other.delete()


def test_programs_see_the_environment_first_on_path(place):
    variables = place.variables()
    assert variables["PATH"].split(os.pathsep)[0] == str(place.bin)
    assert variables["JUPYTER_PREFER_ENV_PATH"] == "1" and "PYTHONHOME" not in variables


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_really_killed_while_pip_runs_leaves_a_stamp_that_says_so(root, tmp_path):
    """A real process, a real venv, a real kill -9 of the launcher in the middle of pip."""
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("")
    code = (
        "from pathlib import Path; from tformer_course.environment import Environment\n"
        f"place = Environment(Path({str(tmp_path)!r}), Path({str(tmp_path / '.venv')!r}))\n"
        # In place of the long installation: a pip that waits.
        "place.pip = lambda *a: (print('pip runs', flush=True), __import__('time').sleep(60))\n"
        "place.prepare()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True)
    while "pip runs" not in (line := process.stdout.readline()):
        assert line, "the launcher ended too early"
    process.send_signal(signal.SIGKILL)
    process.wait()
    place = Environment(tmp_path, tmp_path / ".venv")
    assert place.python.exists() and place.stamp()["state"] == "installing"
    assert not place.is_ready() and not place.mendable(place.stamp())


@pytest.mark.slow
def test_a_real_pip_that_fails_is_told_in_two_sentences_and_kept(tmp_path, monkeypatch):
    """A real environment in which pip asks for something that no index has."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    for name in ("pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text("")
    place = Environment(tmp_path, tmp_path / ".venv")
    place.create()
    start = time.monotonic()
    with pytest.raises(SetupError) as caught:
        place.pip("--no-index", "--no-cache-dir", "torch==999")
    assert time.monotonic() - start < 60
    assert "no torch for this machine" in str(caught.value) and len(str(caught.value).splitlines()) <= 3
    assert "torch==999" in (place.folder / "course-install.log").read_text()
    assert place.stamp()["state"] == "failed" and place.mendable(place.stamp())


# --- failures of pip ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("ERROR: Could not install packages due to an OSError: No space left on device", "disk is full"),
        ("OSError: [Errno 28] …", "disk is full"),
        (
            "WARNING: Retrying … after connection broken by 'NewConnectionError(…)'\n"
            "ERROR: Could not find a version\nERROR: No matching distribution found for torch==2.13.0",
            "network could not be reached",
        ),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))", "PIP_CERT"),
        ("ERROR: Package 'tformer-course' requires a different Python: 3.10.2 not in '>=3.11'", "3.11, 3.12 or 3.13"),
        ("ERROR: No matching distribution found for torch==2.13.0", "no torch for this machine"),
        ("OSError: [Errno 13] Permission denied: '/x'", "can't be written to"),
        ("Traceback…\nERROR: something never seen", "something never seen"),
        ("", "no message"),
    ],
)
def test_pip_failures_become_two_sentences(said, answer, tmp_path):
    text = explain(said, tmp_path / "log")
    assert answer in text
    assert "Traceback" not in text and len(text) < 500


def test_the_folder_is_known_to_be_ours_before_the_venv_is_made(place, monkeypatch):
    """Killed while Python copies its files: the next call must be allowed to delete the folder."""
    seen = []

    def call(command):
        seen.append(place.stamp())
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(place, "call", call)
    place.create()
    assert seen[0]["state"] == "installing"


def test_a_missing_venv_module_names_the_debian_package(place, monkeypatch):
    output = "The virtual environment was not created successfully because ensurepip is not available."
    monkeypatch.setattr(place, "call", lambda command: subprocess.CompletedProcess(command, 1, output, ""))
    with pytest.raises(SetupError, match="python3-venv"):
        place.create()


# --- Jupyter -------------------------------------------------------------------------------------------------------


def test_panels_are_hidden_for_students_and_shown_for_instructors(place):
    page = place.folder / "etc/jupyter/labconfig/page_config.json"
    server = place.folder / "etc/jupyter/jupyter_server_config.json"
    for instructor in (False, True, False):
        place.write_jupyter_settings(instructor)
        disabled = json.loads(page.read_text())["disabledExtensions"]
        assert disabled == {f"@jupyter/nbgrader:{panel}": not instructor for panel in INSTRUCTOR_PANELS}
        assert set(json.loads(server.read_text())["ServerApp"]["jpserver_extensions"].values()) == {instructor}


def test_validate_has_the_graders_settings_wherever_lab_is_started(place, root):
    from traitlets.config import PyFileConfigLoader

    place.write_jupyter_settings(False)
    students = json.loads((place.folder / "etc/jupyter/nbgrader_config.json").read_text())["ExecutePreprocessor"]
    graders = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()["ExecutePreprocessor"]
    assert students == dict(graders) and students["skip_cells_with_tag"] == "demo"


def test_other_settings_of_the_environment_are_kept(place):
    page = place.folder / "etc/jupyter/labconfig/page_config.json"
    page.parent.mkdir(parents=True)
    page.write_text('{"disabledExtensions": {"mine": true}, "x": 1}')
    place.write_jupyter_settings(False)
    content = json.loads(page.read_text())
    assert content["x"] == 1 and content["disabledExtensions"]["mine"] is True


def test_models_that_fail_only_warn_a_student_but_stop_the_tests(place, monkeypatch, capsys):
    (place.root / "tformer_course").mkdir()
    (place.root / "tformer_course/offline_models.py").write_text("")
    place.folder.mkdir()
    monkeypatch.setattr(
        environment_module.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1)
    )
    place.install_models()
    assert "tried again next time" in capsys.readouterr().out
    with pytest.raises(SetupError, match="could not be installed"):
        place.install_models(must=True)
    monkeypatch.setattr(
        environment_module.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 0)
    )
    place.install_models()
    assert place.stamp()["models"]
