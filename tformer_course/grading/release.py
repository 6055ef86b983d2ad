"""Make what students get (notebooks/) from what authors write (solutions/), by nbgrader's own generate_assignment.

nbgrader clears answers, hidden tests and outputs and stamps checksums; this module only gives it a throw-away
course folder and gradebook, and writes the result byte for byte the same each time.
"""

import difflib
import itertools
import os
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = "BEGIN HIDDEN TESTS"
JUNK = {".ipynb_checkpoints", "__pycache__", ".DS_Store"}


class ReleaseError(RuntimeError):
    """A notebook that cannot be released; the message names the chapter and the reason."""


def chapters(root: Path = ROOT) -> list[str]:
    """Names of the chapters in solutions/, for example `["01_attention"]`."""
    folder = root / "solutions"
    return sorted(path.name for path in folder.glob("*") if path.is_dir() and any(path.glob("*.ipynb")))


def build(name: str, root: Path = ROOT) -> dict[str, bytes]:
    """Release one chapter in memory.

    Args:
        name: a folder of solutions/.
        root: the checkout.

    Returns:
        File name (with forward slashes, below the chapter's folder) → bytes.

    Raises:
        ReleaseError: when the chapter is missing or nbgrader refuses it.
    """
    if name not in chapters(root):
        raise ReleaseError(f"There is no chapter solutions/{name}/. Chapters: {', '.join(chapters(root)) or 'none'}.")
    for notebook in (root / "solutions" / name).glob("*.ipynb"):
        check_source(notebook)
    with tempfile.TemporaryDirectory(prefix="tformer-release-") as folder:
        work = Path(folder).resolve()
        shutil.copytree(root / "solutions" / name, work / "solutions" / name, ignore=shutil.ignore_patterns(*JUNK))
        run_nbgrader(name, work, root)
        return collect(work / "notebooks" / name)


def check_source(path: Path) -> None:
    """Raise ReleaseError for what would make the release differ each time, or clash with nbgrader's ids."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    if (notebook.nbformat, notebook.nbformat_minor) < (4, 5) or any("id" not in cell for cell in notebook.cells):
        raise ReleaseError(f"{path.name}: cells have no ids (nbformat 4.5), so each release would invent new ones.")
    for kind, ids in (
        ("cell id", [cell.id for cell in notebook.cells]),
        ("grade_id", [cell.metadata.nbgrader.grade_id for cell in notebook.cells if "nbgrader" in cell.metadata]),
    ):
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ReleaseError(f"{path.name}: {kind} used twice: {', '.join(twice)}.")


def run_nbgrader(name: str, work: Path, root: Path = ROOT) -> None:
    """Run nbgrader's generate_assignment in the folder `work`, with the checkout's nbgrader_config.py."""
    from nbgrader.apps import NbGraderAPI
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import PyFileConfigLoader

    config = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    config.CourseDirectory.root = str(work)
    # A gradebook of its own: the checkout's gradebook.db belongs to the instructor.
    config.CourseDirectory.db_url = f"sqlite:///{(work / 'gradebook.db').as_posix()}"
    config.Exchange.root = str(work / "exchange")  # else nbgrader complains about one it does not need
    before = os.getcwd()
    (work / "gradebook.db").write_bytes(empty_gradebook())
    try:
        result = NbGraderAPI(CourseDirectory(config=config), config=config).generate_assignment(name)
    finally:
        os.chdir(before)  # nbgrader's converters change it
    if not result["success"]:
        raise ReleaseError(f"nbgrader refused {name}:\n{result.get('log', '')}\n{result.get('error', '')}")


@cache
def empty_gradebook() -> bytes:
    """A new gradebook's file. Made once: nbgrader starts alembic for it, which takes seconds."""
    from nbgrader.api import Gradebook

    if not shutil.which("alembic"):
        # nbgrader calls it by name; it lies beside this Python, activated or not.
        os.environ["PATH"] = str(Path(sys.executable).parent) + os.pathsep + os.environ.get("PATH", "")
    with tempfile.TemporaryDirectory(prefix="tformer-gradebook-") as folder:
        path = Path(folder) / "gradebook.db"
        with Gradebook(f"sqlite:///{path.as_posix()}", "tformer"):
            pass
        return path.read_bytes()


def collect(folder: Path) -> dict[str, bytes]:
    """Read a released folder; notebooks come out normalised (sorted keys, one newline at the end)."""
    files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not JUNK & set(path.parts):
            relative = path.relative_to(folder).as_posix()
            files[relative] = normalise(path.read_bytes(), relative) if path.suffix == ".ipynb" else path.read_bytes()
    return files


def normalise(data: bytes, name: str = "notebook") -> bytes:
    """One fixed way to write a notebook. Refuses one in which a hidden test is left."""
    import nbformat

    text = data.decode("utf-8")
    if HIDDEN in text:
        raise ReleaseError(f"{name}: a hidden test survived. Does each of its blocks have an END HIDDEN TESTS?")
    return (nbformat.writes(nbformat.reads(text, as_version=4)).rstrip("\n") + "\n").encode("utf-8")


def release(name: str, root: Path = ROOT) -> list[str]:
    """Write notebooks/NAME afresh from solutions/NAME; returns the files that changed."""
    changed = differing(name, build_files := build(name, root), root)
    target = root / "notebooks" / name
    for relative in changed:
        path = target / relative
        if relative in build_files:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(build_files[relative])
        else:
            path.unlink()  # no longer in solutions/
    return changed


def committed(name: str, root: Path = ROOT) -> dict[str, bytes]:
    """The files of notebooks/NAME as they are."""
    folder = root / "notebooks" / name
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not JUNK & set(path.parts)
    }


def differing(name: str, fresh: dict[str, bytes], root: Path = ROOT) -> list[str]:
    """Names of files in which notebooks/NAME and a fresh build differ, or that only one of them has."""
    have = committed(name, root)
    return sorted(relative for relative in fresh | have if fresh.get(relative) != have.get(relative))


def release_diff(root: Path = ROOT) -> list[str]:
    """Compare notebooks/ with a fresh build of every chapter in solutions/.

    Returns:
        One text per difference: the file's name and the first differing lines. Empty when all is as it should be.
    """
    differences, names = [], chapters(root)
    released = {path.name for path in (root / "notebooks").glob("*") if path.is_dir() and path.name not in JUNK}
    for name in sorted(released - set(names)):
        differences.append(f"notebooks/{name}: has no source in solutions/")
    if names:
        empty_gradebook()  # before the fork, where there is one: workers then have it
    with ProcessPoolExecutor() as pool:
        built = pool.map(build, names, itertools.repeat(root))
    for name, fresh in zip(names, built, strict=True):
        have = committed(name, root)
        for relative in differing(name, fresh, root):
            differences.append(describe(f"notebooks/{name}/{relative}", have.get(relative), fresh.get(relative)))
    return differences


def describe(label: str, have: bytes | None, fresh: bytes | None, lines: int = 20) -> str:
    """A short unified diff of two files, or a sentence when one is missing."""
    if have is None:
        return f"{label}: missing; run `python3 course.py notebooks`"
    if fresh is None:
        return f"{label}: not in solutions/; run `python3 course.py notebooks`"
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (have, fresh))
    diff = list(difflib.unified_diff(before, after, "committed", "fresh build", lineterm="", n=1))
    return "\n".join([f"{label}: differs from a fresh build; run `python3 course.py notebooks`", *diff[:lines]])
