"""A lecture kit: the folder `assets/lectures/NN_topic/` with `kit.md`, `demo.ipynb`, board drawings and figures."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tformer_course.assets import asset

# A board in a demo: the full stage is named, the stages before it are beside it.
BOARD = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<stem>boards/[\w-]+)_full\.svg\)")
SECTIONS = ("Goal", "Misconceptions", "Minutes", "Polls", "Plan B")


class KitError(ValueError):
    """A kit is missing or says something that does not fit together."""


@dataclass(frozen=True)
class Row:
    """One row of the minute table."""

    start: int
    end: int
    what: str
    how: str


@dataclass(frozen=True)
class Slide:
    """What the speaker says to one slide, and the heading to find it by."""

    heading: str
    notes: str


@dataclass(frozen=True)
class Kit:
    """One kit; everything is read when it is asked for."""

    folder: Path

    @property
    def name(self) -> str:
        """The chapter's name, such as `03_positions`."""
        return self.folder.name

    @cached_property
    def text(self) -> str:
        """`kit.md`."""
        return (self.folder / "kit.md").read_text(encoding="utf-8")

    @cached_property
    def demo(self) -> NotebookNode:
        """`demo.ipynb`."""
        return nbformat.read(self.folder / "demo.ipynb", as_version=4)

    @cached_property
    def title(self) -> str:
        """The first heading of `kit.md`."""
        found = re.search(r"^# (.+)$", self.text, re.MULTILINE)
        if not found:
            raise KitError(f"{self.name}/kit.md has no heading")
        return found.group(1).strip()

    @cached_property
    def sections(self) -> dict[str, str]:
        """Heading of the second level → its text, in order."""
        parts = re.split(r"^## (.+)$", self.text, flags=re.MULTILINE)
        return {name.strip(): text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}

    @cached_property
    def minutes(self) -> list[Row]:
        """The minute table: rows that follow each other without a gap, from minute 0.

        Raises:
            KitError: where the rows do not.
        """
        rows = []
        for start, end, rest in re.findall(r"^\| *(\d+)–(\d+) *\|(.+)\|$", self.sections.get("Minutes", ""), re.M):
            what, _, how = rest.partition("|")
            rows.append(Row(int(start), int(end), what.strip(), how.strip()))
        before = 0
        for row in rows:
            if row.start != before or row.end <= row.start:
                raise KitError(f"{self.name}: the row {row.start}–{row.end} should start at minute {before}")
            before = row.end
        if not rows:
            raise KitError(f"{self.name}/kit.md has no minute table")
        return rows

    @property
    def total_minutes(self) -> int:
        """The end of the minute table."""
        return self.minutes[-1].end

    @cached_property
    def slides(self) -> list[Slide]:
        """One entry per slide of the demo, with the notes that follow it."""
        slides: list[Slide] = []
        for cell in self.demo.cells:
            kind = slide_type(cell)
            if kind in ("slide", "subslide"):
                heading = re.search(r"^#+ (.+)$", cell.source, re.MULTILINE)
                slides.append(Slide(heading.group(1) if heading else "", ""))
            elif kind == "notes" and slides:
                last = slides.pop()
                slides.append(Slide(last.heading, f"{last.notes}\n\n{cell.source}".strip()))
        return slides

    @property
    def boards(self) -> list[list[Path]]:
        """The board drawings: one list per board, blank stage first."""
        found: dict[str, list[Path]] = {}
        for path in sorted((self.folder / "boards").glob("*.svg")):
            found.setdefault(path.stem.rsplit("_", 1)[0], []).append(path)
        order = {"blank": 0, "half": 1, "full": 2}
        return [sorted(stages, key=lambda p: order.get(p.stem.rsplit("_", 1)[1], 3)) for stages in found.values()]

    def setup_source(self) -> str:
        """The code that a fresh kernel runs before cell 1: the demo's imports."""
        return "\n".join(cell.source for cell in self.demo.cells if "setup" in cell.metadata.get("tags", []))


def slide_type(cell: NotebookNode) -> str:
    """The cell's place in the deck: slide, subslide, fragment, notes, skip or nothing."""
    return cell.metadata.get("slideshow", {}).get("slide_type", "")


def with_headings(notebook: NotebookNode) -> NotebookNode:
    """A copy in which a code cell that opens a slide has its first comment, `# …`, as a heading of its own."""
    copy = nbformat.from_dict(json.loads(json.dumps(notebook)))
    cells = []
    for cell in copy.cells:
        heading, _, rest = cell.source.partition("\n")
        if cell.cell_type == "code" and slide_type(cell) in ("slide", "subslide") and heading.startswith("# "):
            opening = nbformat.v4.new_markdown_cell(f"## {heading[2:]}", id=f"{cell.id}-heading")
            opening.metadata["slideshow"] = dict(cell.metadata["slideshow"])
            cell.metadata["slideshow"] = {"slide_type": ""}
            cell.source = rest.lstrip("\n")
            cells.append(opening)
        cells.append(cell)
    copy.cells = cells
    return copy


def lectures_folder() -> Path:
    """`assets/lectures` of the checkout."""
    return asset("lectures")


def kit_names() -> list[str]:
    """The kits that there are, in the order of the chapters."""
    return sorted(path.parent.name for path in lectures_folder().glob("*/kit.md"))


def find_kit(wanted: str) -> Kit:
    """Find a kit by its number (`3`, `03`), its topic (`positions`) or its whole name.

    Raises:
        KitError: there is none; the message names those that there are.
    """
    names = kit_names()
    number = f"{int(wanted):02d}_" if wanted.isdecimal() else None
    for name in names:
        if wanted in (name, name.split("_", 1)[1]) or (number and name.startswith(number)):
            return Kit(lectures_folder() / name)
    raise KitError(f"no lecture kit {wanted!r}; there are {', '.join(names) or 'none'}")
