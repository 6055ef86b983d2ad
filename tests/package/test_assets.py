"""`asset()` finds a file in a checkout, an installed wheel and a sandbox, from any working directory."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tformer_course import assets
from tformer_course.assets import asset


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout in which the package lies beside assets/."""
    monkeypatch.setattr(assets, "PACKAGE", tmp_path / "tformer_course")
    monkeypatch.delenv("TFORMER_ASSETS", raising=False)
    (tmp_path / "assets/weights").mkdir(parents=True)
    (tmp_path / "assets/weights/tiny.txt").write_text("checkout")
    return tmp_path


def test_found_beside_the_package_from_any_working_directory(checkout, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("a student's folder"))
    assert asset("weights/tiny.txt").read_text() == "checkout"
    assert asset("weights").is_dir()


def test_an_installed_wheel_carries_its_own(checkout):
    inside = checkout / "tformer_course/_assets/weights"
    inside.mkdir(parents=True)
    (inside / "tiny.txt").write_text("wheel")
    assert asset("weights/tiny.txt").read_text() == "wheel"


def test_a_sandbox_may_name_the_folder(checkout, tmp_path_factory, monkeypatch):
    elsewhere = tmp_path_factory.mktemp("sandbox")
    (elsewhere / "weights").mkdir()
    (elsewhere / "weights/tiny.txt").write_text("sandbox")
    monkeypatch.setenv("TFORMER_ASSETS", str(elsewhere))
    assert asset("weights/tiny.txt").read_text() == "sandbox"


def test_a_missing_file_says_what_to_do(checkout):
    with pytest.raises(FileNotFoundError, match=r"assets/weights/none.txt is missing.*course.py setup"):
        asset("weights/none.txt")


@pytest.mark.parametrize("bad", ["", "/etc/passwd", "../secret", "weights/../../secret", "C:/windows", "..\\secret"])
def test_a_path_out_of_assets_is_refused(checkout, bad):
    with pytest.raises(ValueError, match="below assets"):
        asset(bad)


@pytest.mark.slow
def test_the_wheel_really_carries_the_assets(root, tmp_path):
    """Builds a wheel from a copy with one asset of each kind; no isolation, so that it needs no network."""
    pytest.importorskip("setuptools")
    import shutil

    source = tmp_path / "source"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(root / name, source)
    shutil.copytree(root / "tformer_course", source / "tformer_course", ignore=shutil.ignore_patterns("__pycache__"))
    for kind in ("figures", "results", "weights", "lectures"):
        (source / "assets" / kind).mkdir(parents=True)
        (source / "assets" / kind / "x.txt").write_text(kind)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", tmp_path, source]
    subprocess.run([str(part) for part in command], check=True)
    (wheel,) = Path(tmp_path).glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for kind in ("figures", "results", "weights"):
        assert f"tformer_course/_assets/{kind}/x.txt" in names
    assert not [name for name in names if "_assets/lectures" in name]
    assert [name for name in names if name.endswith("viz/explorer.js")] or not (
        root / "tformer_course/viz/explorer.js"
    ).exists()
