"""What a grading run says: one row per student, as text, CSV and JSON, and a line in the run log."""

from __future__ import annotations

import contextlib
import csv
import getpass
import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

STATE = "recorded.jsonl"
GRADED, PARTLY, REJECTED, FAILED = "graded", "graded in part", "rejected", "failed"


@dataclass
class Row:
    """One student's result.

    `status`: "graded"; "graded in part" where not all cells ran; "rejected" where intake did; "failed" where the
    grader did. `reason` is one sentence where there is something to say.
    """

    student: str
    status: str
    marks: float = 0.0
    points: float = 0.0
    reason: str = ""
    left_out: str = ""
    again: str = "executed"  # or "from the cache", "judged again", "as before"
    keys: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def line(self) -> str:
        """One line of text."""
        said = f"  {self.reason}" if self.reason else ""
        return f"{self.student:<20} {self.status:<15} {self.marks:>6g} of {self.points:g}  ({self.again}){said}"


def write(folder: Path, rows: Iterable[Row], about: dict[str, Any]) -> list[Path]:
    """Writes table.csv and table.json.

    Args:
        folder: grading/<assignment> of the course.
        rows: All rows.
        about: What the run was: seed, sandbox, versions.

    Returns:
        The two files.
    """
    rows = sorted(rows, key=lambda row: row.student)
    with open(folder / "table.csv", "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["student", "status", "marks", "points", "reason", "left_out", "again", "seconds"])
        for row in rows:
            spent = round(sum(row.seconds.values()), 3)
            cells = [row.student, row.status, f"{row.marks:g}", f"{row.points:g}", row.reason, row.left_out, row.again]
            table.writerow([spreadsheet_cell(c) for c in cells] + [spent])
    text = json.dumps({"run": about, "students": [asdict(row) for row in rows]}, indent=1)
    (folder / "table.json").write_text(text + "\n", encoding="utf-8")
    return [folder / "table.csv", folder / "table.json"]


def spreadsheet_cell(text: str) -> str:
    """A spreadsheet must not take a student's text for a formula."""
    return "'" + text if text[:1] in {"=", "+", "-", "@", "\t"} else text


def about(seed: int, unsafe: bool, where: str, jobs: int) -> dict[str, Any]:
    """What a run was, for the table and the log."""
    try:
        who = getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        who = "a user without a name"
    who += f" (uid {os.geteuid()})" if hasattr(os, "geteuid") else ""
    said = f"NONE: students' code ran as {who}, with all that this account may do" if unsafe else where
    return {"started": time.strftime("%Y-%m-%d %H:%M:%S %z"), "by": who, "seed": seed, "sandbox": said, "jobs": jobs}


def log(folder: Path, about: dict[str, Any]) -> None:
    """Adds a line to runs.log; a run without a sandbox stays on record."""
    with open(folder / "runs.log", "a", encoding="utf-8") as file:
        file.write(json.dumps(about, ensure_ascii=False) + "\n")


def recorded(folder: Path) -> dict[str, Row]:
    """Rows of earlier runs, by student; empty where there are none. A damaged line counts as none."""
    try:
        lines = (folder / STATE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    rows = {}
    for line in filter(str.strip, lines):
        with contextlib.suppress(ValueError, TypeError):
            row = Row(**json.loads(line))
            rows[row.student] = row
    return rows


def remember(folder: Path, row: Row) -> None:
    """Keeps a row for the next run, at the cost of one row however many there are."""
    with open(folder / STATE, "a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(asdict(row)))  # a line that was cut off earlier spoils only itself


def tidy(folder: Path, rows: dict[str, Row]) -> None:
    """Writes the file of `remember` anew, one line per student; whole or not at all."""
    path = folder / f"{STATE}.new"
    path.write_text("\n".join(json.dumps(asdict(row)) for row in rows.values()), encoding="utf-8")
    os.replace(path, folder / STATE)
