"""What a submission may bring in: regular files of a sane size and a notebook that can be read; nothing else.

Everything is looked at with `lstat` and opened without following links, before a byte of it is parsed. What is odd is
left out and named; only a notebook that cannot be read is rejected, in one sentence, and the next student's turn comes.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import NotebookNode

from .cells import new_cell

NOTEBOOK_BYTES = 8 * 2**20
FILE_BYTES = 8 * 2**20
ALL_BYTES = 32 * 2**20
MAX_FILES = 100
MAX_DEPTH = 5
MAX_CELLS = 2000
MAX_CELL_CHARACTERS = 200_000
# Left behind by editors and systems; not worth a word.
JUNK = {".ipynb_checkpoints", "__pycache__", ".DS_Store", ".git", "__MACOSX", "Thumbs.db", "feedback"}
IMAGES = {"image/png", "image/jpeg", "image/gif"}


class IntakeError(ValueError):
    """A notebook that cannot be taken in; the message is one sentence for student and instructor."""


@dataclass
class Intake:
    """What a submission folder holds.

    Attributes:
        notebooks: Readable notebooks by name (without .ipynb), reduced to cell types, ids, sources and attachments.
        files: The other files by relative path.
        rejected: Notebook name → why it cannot be graded.
        left_out: File → why it is not taken along. The notebook is graded without it.
    """

    notebooks: dict[str, NotebookNode] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    rejected: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def take_in(folder: Path, expected: Iterable[str], support: Iterable[str] = ()) -> Intake:
    """Looks through a submission, read-only.

    Args:
        folder: submitted/<student>/<assignment>.
        expected: Names of the notebooks that the assignment has, without .ipynb.
        support: Relative paths of the assignment's own files, which a student's file must not replace.

    Returns:
        What may be used, and what may not and why. It never raises for what a student did.
    """
    found, wanted = Intake(), list(expected)
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            raise IntakeError("the submission is not a folder")
        paths = list(_walk(folder, found))
    except (IntakeError, OSError) as error:
        found.rejected = {name: _reason(error) for name in wanted}
        return found
    texts = [p for p in paths if p.suffix == ".ipynb"]
    renamed = _renamed(texts, wanted)
    for path in texts:
        relative = path.relative_to(folder).as_posix()
        name = renamed.get(path, path.stem)
        if name not in wanted or (path.parent != folder and path not in renamed):
            found.left_out[relative] = "the assignment has no notebook of this name"
            continue
        try:
            found.notebooks[name] = read_notebook(path)
        except IntakeError as error:
            found.rejected[name] = str(error)
    for name in wanted:
        if name not in found.notebooks and name not in found.rejected:
            why = found.left_out.get(f"{name}.ipynb")
            found.rejected[name] = f"{name}.ipynb {why}" if why else f"there is no {name}.ipynb in the submission"
    _take_files(folder, [p for p in paths if p.suffix != ".ipynb"], set(support), found)
    return found


def _walk(folder: Path, found: Intake, depth: int = 0, count: Iterator[int] | None = None) -> Iterable[Path]:
    """Regular files below the folder. Links, devices, pipes, sockets and hidden files are left out and named."""
    count = count or itertools.count(1)
    for entry in sorted(itertools.islice(os.scandir(folder), 10 * MAX_FILES), key=lambda e: e.name):
        if entry.name in JUNK:
            continue
        path, mode = Path(entry.path), entry.stat(follow_symlinks=False).st_mode
        shown = _plain(path.name)
        if next(count) > MAX_FILES:
            found.left_out["…"] = f"there are more than {MAX_FILES} files"
            return
        if entry.name.startswith("."):
            # IPython and matplotlib would read theirs, and run them, before the kernel has said its first word.
            found.left_out[shown] = "is hidden, and only plain files are taken in"
        elif stat.S_ISLNK(mode):
            found.left_out[shown] = "is a link, and only plain files are taken in"
        elif stat.S_ISDIR(mode) and depth < MAX_DEPTH:
            yield from _walk(path, found, depth + 1, count)
        elif not stat.S_ISREG(mode):
            found.left_out[shown] = "is not a plain file"
        elif shown != path.name or len(path.name) > 200 or path.name.startswith("-") or "\\" in path.name:
            found.left_out[shown] = "has a name with odd characters"
        else:
            yield path


def _renamed(notebooks: list[Path], wanted: list[str]) -> dict[Path, str]:
    """`attention (1).ipynb` handed in as the only notebook is taken for `attention.ipynb`."""
    if len(notebooks) == len(wanted) == 1 and notebooks[0].stem != wanted[0]:
        return {notebooks[0]: wanted[0]}
    return {}


def _take_files(folder: Path, paths: list[Path], support: set[str], found: Intake) -> None:
    room = ALL_BYTES
    for path in paths:
        relative = path.relative_to(folder).as_posix()
        if relative == "timestamp.txt":
            continue
        top = path.relative_to(folder).parts[0].split(".")[0]
        try:
            if relative in support:
                raise IntakeError("would replace a file of the assignment")
            if _is_module(top) or path.suffix in {".pth", ".so", ".pyd"}:
                raise IntakeError(f"would stand in the way of the module {top}")
            found.files[relative] = read_regular(path, min(FILE_BYTES, room))
            room -= len(found.files[relative])
        except (IntakeError, OSError) as error:
            found.left_out[relative] = _reason(error)


def _is_module(name: str) -> bool:
    """Whether an import of that name would find something already."""
    if name in sys.stdlib_module_names or name in {"sitecustomize", "usercustomize"}:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; it is not followed if it has become a link meanwhile."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise IntakeError("is not a plain file")
        if found.st_size > limit:
            raise IntakeError(f"is too large ({found.st_size / 1e6:.1f} MB; at most {limit / 1e6:.1f} MB)")
        data = b""
        while len(data) <= limit and (more := os.read(handle, 2**20)):
            data += more
        return data[:limit]
    finally:
        os.close(handle)


def read_notebook(path: Path) -> NotebookNode:
    """A submitted notebook, reduced to what counts: cell types, ids, sources, attachments and nbgrader ids.

    Raises:
        IntakeError: One sentence on why it cannot be read.
    """
    try:
        text = read_regular(path, NOTEBOOK_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise IntakeError(f"{path.name} is not a text in UTF-8") from None
    except (IntakeError, OSError) as error:
        raise IntakeError(f"{path.name} {_reason(error)}") from None
    try:
        raw = json.loads(text)
        if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
            raise IntakeError(f"{path.name} is not a Jupyter notebook")
        if raw["nbformat"] not in (3, 4):
            raise IntakeError(f"{path.name} has nbformat {raw['nbformat']}; formats 3 and 4 can be graded")
        cells = raw["worksheets"][0]["cells"] if raw["nbformat"] == 3 else raw["cells"]
        if len(cells) > MAX_CELLS:
            raise IntakeError(f"{path.name} has {len(cells)} cells; at most {MAX_CELLS} can be graded")
        return _reduced(cells, "input" if raw["nbformat"] == 3 else "source")
    except IntakeError:
        raise
    except RecursionError:
        raise IntakeError(f"{path.name} is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise IntakeError(f"{path.name} is damaged: its JSON breaks off in line {error.lineno}") from None
    except Exception as error:
        raise IntakeError(f"{path.name} is not a notebook that can be read ({type(error).__name__})") from None


def _reduced(cells: list[Any], code: str) -> NotebookNode:
    """A fresh notebook with nothing of a cell but its type, source, attached pictures and the two ids that name it.

    Args:
        cells: As they stand in the file. nbformat's own way from format 3 to 4 is not taken: it writes as many `#`
            as a heading's level says, which may be a billion.
        code: Where a code cell has its text: "source", and "input" in format 3.
    """
    fresh = []
    for cell in cells:
        kind = cell.get("cell_type")
        source = cell.get(code if kind == "code" else "source", "")
        source = _unicode("".join(source) if isinstance(source, list) else source)
        if len(source) > MAX_CELL_CHARACTERS:
            raise IntakeError(f"a cell of the notebook has {len(source)} characters; at most {MAX_CELL_CHARACTERS}")
        kind = {"code": "code", "markdown": "markdown", "heading": "markdown"}.get(kind, "raw")
        node = new_cell(kind, source, f"cell-{len(fresh)}")
        known = cell.get("metadata", {}).get("nbgrader", {})
        named = known.get("grade_id") if isinstance(known, dict) else None
        if isinstance(named, str):
            node.metadata["nbgrader"] = NotebookNode(grade_id=named[:200])
        if isinstance(cell.get("id"), str) and re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell["id"]):
            node["id"] = cell["id"]
        if node.cell_type == "markdown" and isinstance(cell.get("attachments"), dict):
            node["attachments"] = _pictures(cell["attachments"])
        fresh.append(node)
    ids = [node["id"] for node in fresh]
    for i, node in enumerate(fresh):
        if ids.index(node["id"]) != i:
            node["id"] = f"cell-{i}-again"
    return nbformat.v4.new_notebook(cells=fresh)


def _pictures(attachments: dict) -> NotebookNode:
    kept = {}
    for name, bundle in attachments.items():
        data = {k: v for k, v in bundle.items() if k in IMAGES and isinstance(v, str)}
        if re.fullmatch(r"[\w. -]{1,100}", name) and all(re.fullmatch(r"[A-Za-z0-9+/=\s]*", v) for v in data.values()):
            kept[name] = NotebookNode(data)
    return NotebookNode(kept)


def _unicode(text: str) -> str:
    """The text with what no file can hold (lone surrogates, NUL) replaced."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")


def _plain(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in os.fsencode(name).decode("utf-8", "replace"))[:200]


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, IntakeError) else f"cannot be read ({getattr(error, 'strerror', error)})"


class SubmissionExporter(NotebookExporter):
    """What `nbgrader autograde` reads notebooks with: submissions come in by `read_notebook`, all others as usual."""

    def from_filename(self, filename: str, resources: dict | None = None, **kw: Any) -> tuple[Any, dict]:
        """Reads and converts one notebook."""
        converter = self.parent
        if not getattr(converter, "_sanitizing", False):
            return super().from_filename(filename, resources=resources, **kw)
        return self.from_notebook_node(read_notebook(Path(filename)), resources=resources, **kw)


def set_links_aside(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's `pre_convert_hook`: takes links, pipes and devices out of the folders that nbgrader will copy.

    nbgrader copies what a link points to. A link holds no work of a student, so removing it loses nothing. Should
    this fail, nbgrader goes on; notebooks themselves are guarded by `SubmissionExporter`, which cannot be passed.
    """
    for folder in {Path(n).parent for n in notebooks}:
        for path in sorted(folder.rglob("*")):
            mode = path.lstat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                path.unlink()


__all__ = ["Intake", "IntakeError", "SubmissionExporter", "read_notebook", "set_links_aside", "take_in"]
