"""`tformer doctor`: each trouble is found and comes with its fix; only what stops a student makes it fail."""

import subprocess
import sys
from pathlib import Path

import pytest

from tformer_course import doctor, offline_models
from tformer_course.doctor import Check


def test_the_table_of_this_machine_names_every_subject(capsys):
    status = doctor.main()
    text = capsys.readouterr().out
    for subject in ("Python", "nbgrader in Lab", "alembic", "sandbox", "Chromium", "free disk", "write access"):
        assert subject in text
    assert status == 0, text


def test_every_line_that_is_not_ok_has_a_fix():
    for check in doctor.examine():
        assert check.state in ("ok", "off", "missing")
        assert check.state == "ok" or check.fix, check


def test_only_what_a_student_needs_decides_the_status(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "examine", lambda: [Check("a", "missing", "x", "do", needed=False)])
    assert doctor.main() == 0
    monkeypatch.setattr(doctor, "examine", lambda: [Check("a", "off", "x", "do this")])
    assert doctor.main() == 1
    assert "→ do this" in capsys.readouterr().out


@pytest.mark.parametrize(("version", "state"), [((3, 10), "off"), ((3, 11), "ok"), ((3, 13), "ok"), ((3, 14), "off")])
def test_python_version(version, state):
    assert doctor.python_version(version).state == state


def test_a_missing_distribution_is_found_through_the_requirements(monkeypatch):
    requires = {"tformer-course": ["here>=1", "gone", "extra-only; extra == 'dev'"], "here": ["deep[x]"]}
    requires["deep"] = ["behind-extra; extra == 'x'", "elsewhere; sys_platform == 'nowhere'"]

    def look(name):
        if name not in requires:
            raise doctor.metadata.PackageNotFoundError(name)
        return requires[name]

    monkeypatch.setattr(doctor.metadata, "requires", look)
    assert doctor.missing_packages("tformer-course") == ["behind-extra", "gone"]


def test_before_the_installation_only_what_it_needs_is_named(monkeypatch):
    monkeypatch.setattr(doctor, "missing_packages", lambda name: ["jupyterlab", "torch"])
    assert [check.name for check in doctor.examine()] == ["Python", "packages", "free disk", "write access"]


def test_nbgrader_half_installed(tmp_path):
    assert doctor.nbgrader_extensions(tmp_path).state == "missing"
    page = tmp_path / "share/jupyter/labextensions/@jupyter/nbgrader/package.json"
    page.parent.mkdir(parents=True)
    page.write_text("{}")
    assert "server extension" in doctor.nbgrader_extensions(tmp_path).found
    server = tmp_path / "etc/jupyter/jupyter_server_config.d/nbgrader.json"
    server.parent.mkdir(parents=True)
    server.write_text("half a fi")
    assert doctor.nbgrader_extensions(tmp_path).state == "off"
    server.write_text('{"ServerApp": {"jpserver_extensions": {}}}')
    assert "Validate is disabled" in doctor.nbgrader_extensions(tmp_path).found


def test_no_alembic_on_path(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    check = doctor.alembic_on_path()
    assert check.state == "missing" and "activate" in check.fix


def test_a_bubblewrap_that_does_not_start_is_off(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    check = doctor.bubblewrap()
    assert (check.state, check.needed) == ("off", False)
    assert "Permission denied" in check.found
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert "apt install bubblewrap" in doctor.bubblewrap().fix
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "don't need it" in doctor.bubblewrap().fix


def test_a_damaged_model_does_not_stop_the_table(monkeypatch):
    def broken():
        raise RuntimeError("half a file")

    monkeypatch.setattr(offline_models, "model_status", broken)
    (check,) = doctor.models()
    assert check.state == "off" and "half a file" in check.found and "tformer models" in check.fix


def test_models_missing_damaged_and_whole(monkeypatch):
    rows = [offline_models.ModelStatus("a", False, False, "run: tformer models")]
    rows += [offline_models.ModelStatus("b", True, False, "run: tformer models")]
    rows += [offline_models.ModelStatus("c", True, True, "")]
    monkeypatch.setattr(offline_models, "model_status", lambda: rows)
    assert [check.state for check in doctor.models()] == ["missing", "off", "ok"]
    assert [check.fix for check in doctor.models()] == ["run: tformer models"] * 2 + [""]


def test_full_disk_and_no_write_access(tmp_path):
    assert doctor.disk(tmp_path, needed_gb=1e9).state == "off"
    assert doctor.write_access(tmp_path / "not there").state == "off"
    assert doctor.write_access(tmp_path).state == "ok"
    assert list(tmp_path.iterdir()) == []


def test_it_runs_in_a_python_without_anything_installed(root):
    """A newcomer's first call: no site-packages at all."""
    command = [sys.executable, "-I", "-S", "-c"]
    code = f"import sys; sys.path.insert(0, {str(root)!r}); from tformer_course.doctor import main; sys.exit(main())"
    done = subprocess.run([*command, code], capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 1, done.stderr
    assert "course.py setup" in done.stdout and "Traceback" not in done.stderr
    assert Path(doctor.__file__).exists()
