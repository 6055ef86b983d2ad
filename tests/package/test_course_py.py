"""`course.py`: any Python can read it, every command and stage is known, failures are short."""

import ast
import os
import subprocess
import sys
import time

import pytest

import course
from tformer_course import launch

# --- the Python it runs on ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 0), (3, 10, 13), (3, 14, 0)])
def test_a_python_too_old_or_too_new_is_told_so_in_two_sentences(version):
    message = course.wrong_python(version)
    assert f"This is Python {version[0]}.{version[1]}," in message
    assert "Install one of them" in message and "python3.12 course.py lab" in message


def test_old_pythons_can_read_the_file(root):
    """No annotation, f-string, keyword-only argument or non-ASCII letter: all were syntax errors once."""
    source = (root / "course.py").read_bytes()
    source.decode("ascii")
    tree = ast.parse(source)
    for node in ast.walk(tree):
        assert not isinstance(node, (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Nonlocal))
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None and not node.args.kwonlyargs and not node.args.posonlyargs
            assert all(argument.annotation is None for argument in node.args.args)


@pytest.mark.parametrize("name", ["course.py", *(f"tformer_course/{n}.py" for n in ("launch", "environment"))])
def test_only_the_standard_library_is_imported_before_the_installation(root, name):
    for node in ast.walk(ast.parse((root / name).read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        for module in names:
            assert module.split(".")[0] in {*sys.stdlib_module_names, "tformer_course"}, module


# --- arguments ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["lab", "test", "check", "notebooks", "bank", "bundle", "doctor", "setup"])
def test_every_command_is_known_and_has_a_function(command):
    assert launch.parser().parse_args([command]).command in launch.COMMANDS


def test_options_of_lab():
    arguments = launch.parser().parse_args(["--here", "lab", "--instructor", "--no-browser", "--cpu"])
    assert arguments.here and arguments.instructor and arguments.no_browser and arguments.cpu


def test_no_command_shows_the_usage(root):
    done = subprocess.run([sys.executable, root / "course.py"], capture_output=True, text=True)
    assert done.returncode == 2 and "usage: course.py" in done.stderr


def test_each_make_target_calls_course_py(root):
    rules = [line for line in (root / "Makefile").read_text().splitlines() if ";" in line and line[0] != "#"]
    assert len(rules) >= 9
    for rule in rules:
        command = rule.split("python3 course.py ")[1].split()
        launch.parser().parse_args(command)


# --- the stages of check and test ----------------------------------------------------------------------------------


def test_stages_stop_at_the_first_failure_and_say_so(capfd):
    stages = [(name, [sys.executable, "-c", code]) for name, code in SAMPLE_STAGES]
    assert launch.run_stages(stages, dict(os.environ)) == 3
    out = capfd.readouterr().out
    assert "[ok] good" in out and "why it failed" in out and "[FAILED] bad" in out and "never" not in out


SAMPLE_STAGES = [("good", "pass"), ("bad", "print('why it failed'); raise SystemExit(3)"), ("never", "pass")]


def test_stages_together_all_run_and_the_first_failure_counts(capfd):
    began = time.monotonic()
    codes = ["import time; time.sleep(2)", "raise SystemExit(3)", "import time; time.sleep(2); raise SystemExit(4)"]
    stages = [(f"stage {n}", [sys.executable, "-c", code]) for n, code in enumerate(codes)]
    assert launch.run_stages(stages, dict(os.environ), together=True) == 3
    out = capfd.readouterr().out
    assert "[ok] stage 0" in out and "[FAILED] stage 1" in out and "[FAILED] stage 2" in out and "All" not in out
    assert time.monotonic() - began < 3.9  # one after the other they take four


def test_a_stage_killed_by_a_signal_is_a_failure():
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert launch.run_stages([("killed", [sys.executable, "-c", code])], dict(os.environ)) == 1


def test_test_runs_all_that_check_runs(tmp_path):
    quick = {name for name, _ in launch.quick_stages(tmp_path)} - {"fast tests"}
    names = [name for name, _ in launch.all_stages(tmp_path)]
    assert quick < set(names) and names[-2:] == ["answer bank", "all other tests"]


# --- running it ------------------------------------------------------------------------------------------------------


def test_a_full_disk_outside_pip_is_no_traceback(monkeypatch, capsys):
    def full(environment, arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(launch.COMMANDS, "doctor", full)
    assert launch.main(["doctor"]) == 1
    assert "disk is full" in capsys.readouterr().err


def test_no_browser_without_a_display(monkeypatch):
    monkeypatch.setattr(launch.sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not launch.has_browser()
