"""Write what students get: a folder and a zip with no answer in it, from which `python3 course.py lab` works."""

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

from tformer_course.grading.release import HIDDEN, JUNK, ROOT, release_diff

NAME = "tformer-course-student"
FILES = ("course.py", "pyproject.toml", "setup.py", "constraints.txt", "environment.yml", "LICENSE")
# What notebooks load; lecture kits hold answers to questions put in class.
FOLDERS = ("notebooks", "tformer_course", "assets/figures", "assets/results", "assets/weights")
# A zip knows dates; a fixed one makes the same content the same file.
DATE = (2026, 1, 1, 0, 0, 0)
FORBIDDEN_TEXT = (HIDDEN, "BEGIN SOLUTION", "END SOLUTION")
FORBIDDEN_PATH = re.compile(r"(^|/)(solutions|answers|gradebook[^/]*|submitted|autograded|feedback|tests)(/|$)")

README = """# Transformers, in ten graded notebooks

You need Python 3.11, 3.12 or 3.13, 64 bit. Then, in this folder:

    python3 course.py lab

(On Windows: `py course.py lab`.) The first call installs everything into the folder `.venv` here, which takes some
minutes; later calls start in seconds. JupyterLab opens with the first notebook.

- **Linux without a GPU**: `python3 course.py lab --cpu` takes the small build of torch (200 MB, not several GB).
- **conda**: `conda env create -f environment.yml`, `conda activate tformer`, `tformer models`, then
  `python course.py --here lab`.
- **Something is wrong**: `python3 course.py doctor` says what, and the fix.

Write your answers where a cell says so, run the check below it, save, and press *Validate* before you hand in: it runs
the whole notebook anew and tells which tests fail. Hidden tests, with other inputs, decide the marks. Hand in the
`.ipynb` file, as your teacher says.
Your notebooks are in `notebooks/`. `tformer_course/models/` holds readable reference versions of what you build.
"""


class BundleError(RuntimeError):
    """The bundle can't be written, or something is in it that students must not get."""


def write_bundle(root: Path = ROOT, target: Path | None = None) -> tuple[Path, Path]:
    """Write `dist/tformer-course-student/` and the zip of it.

    Args:
        root: the checkout.
        target: where to write; `dist/` in the checkout when not given.

    Returns:
        The folder and the zip.

    Raises:
        BundleError: when notebooks/ is not up to date, or an answer would be given away.
    """
    target = target or root / "dist"
    stale = release_diff(root)
    if stale:
        raise BundleError("notebooks/ is not up to date:\n" + "\n".join(text.splitlines()[0] for text in stale))
    files = contents(root)
    problems = leaks(files)
    if problems:
        raise BundleError("students must not get this:\n" + "\n".join(problems))
    folder = target / NAME
    if folder.exists():
        shutil.rmtree(folder)
    for relative, data in files.items():
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    archive = target / f"{NAME}.zip"
    write_zip(files, archive)
    return folder, archive


def contents(root: Path = ROOT) -> dict[str, bytes]:
    """Path in the bundle → bytes, sorted by path.

    From a git checkout only files that git knows are taken, so nothing that lies about gets out.
    """
    missing = [name for name in FILES if not (root / name).is_file()]
    if missing:
        raise BundleError(f"not there: {', '.join(missing)}")
    known = tracked(root)
    files = {name: (root / name).read_bytes() for name in FILES}
    for name in FOLDERS:
        for path in sorted((root / name).rglob("*")):
            relative = path.relative_to(root).as_posix()
            junk = JUNK & set(path.parts) or path.suffix == ".pyc"
            if path.is_file() and not junk and (known is None or relative in known):
                files[relative] = path.read_bytes()
    files["README.md"] = README.encode("utf-8")
    return dict(sorted(files.items()))


def tracked(root: Path) -> set[str] | None:
    """Files that git knows in this folder; None where there is no git checkout."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True)
    except OSError:
        return None
    if done.returncode or not (root / ".git").exists():
        return None
    return set(done.stdout.split("\0"))


def leaks(files: dict[str, bytes]) -> list[str]:
    """What must not get out: a forbidden place, or a marker of answers in a notebook.

    The package itself names the markers in its code, so only notebooks are searched for them.
    """
    problems = [f"{name}: in a folder that is not for students" for name in files if FORBIDDEN_PATH.search(name)]
    for name, data in files.items():
        if name.endswith(".ipynb"):
            text = data.decode("utf-8")
            problems += [f"{name}: contains {marker}" for marker in FORBIDDEN_TEXT if marker in text]
    return problems


def write_zip(files: dict[str, bytes], archive: Path) -> None:
    """The same files give the same bytes: sorted, one date, one mode, one way to compress."""
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as writer:
        for relative, data in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{NAME}/{relative}", DATE)
            entry.create_system = 3  # Unix, also when written on Windows
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            writer.writestr(entry, data)
