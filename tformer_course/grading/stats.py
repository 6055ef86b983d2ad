"""`tformer stats`: what a class found hard in an assignment, from its last grading.

Everything is read from grading/<assignment>/: the rows that are recorded and the verdicts in the cache. Nothing runs.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from ..checks.core.exercise import find
from . import table
from .cache import Cache

EXERCISE = re.compile(r"test_(.+?)(_\d+)?")


@dataclass
class Exercise:
    """One exercise over a class: `shares` is the part of its points that each student earned."""

    name: str
    points: float
    shares: list[float] = field(default_factory=list)
    mistakes: Counter[str] = field(default_factory=Counter)

    @property
    def full(self) -> int:
        """Students with all points."""
        return sum(s == 1 for s in self.shares)

    @property
    def none(self) -> int:
        """Students with no point."""
        return sum(s == 0 for s in self.shares)

    @property
    def mean(self) -> float:
        """Mean share of the points, 0…1."""
        return sum(self.shares) / len(self.shares) if self.shares else 0.0

    def commonest(self, most: int = 3) -> list[str]:
        """The mistakes seen most often, one sentence each: "12 of 30: it is not scaled by the root of d_k"."""
        return [f"{n} of {len(self.shares)}: {says(self.name, m)}" for m, n in self.mistakes.most_common(most)]


def says(exercise: str, mistake: str) -> str:
    """What a known mistake is called in front of students."""
    known = find(exercise)
    named = {m.id: m.says for m in known.mistakes} if known else {}
    return named.get(mistake, mistake.replace("_", " "))


def collect(folder: Path) -> list[Exercise]:
    """The statistics of an assignment, in the order of the notebook.

    Args:
        folder: grading/<assignment> of the course folder.

    Raises:
        FileNotFoundError: Where nothing was graded yet.
    """
    rows = [r for r in table.recorded(folder).values() if r.status != table.REJECTED]
    if not rows:
        raise FileNotFoundError(f"nothing is graded yet in {folder}")
    cache, found = Cache(folder / "cache"), {}
    for row in rows:
        earned: Counter[str] = Counter()
        points: Counter[str] = Counter()
        seen: set[tuple[str, str]] = set()
        for kept in filter(None, map(cache.get, row.keys)):
            for cell, verdict in kept["verdicts"].items():
                name = EXERCISE.fullmatch(cell)[1] if EXERCISE.fullmatch(cell) else cell
                earned[name] += verdict["marks"]
                points[name] += verdict["points"]
                seen |= {(name, mistake) for mistake in verdict["mistakes"]}
        for name, total in points.items():
            one = found.setdefault(name, Exercise(name, total))
            one.shares.append(earned[name] / total if total else 0.0)
            one.mistakes.update(m for n, m in seen if n == name)
    return list(found.values())


def text(found: list[Exercise]) -> str:
    """One line per exercise, the commonest mistakes below it."""
    width = max(len(e.name) for e in found)
    lines = [f"{'exercise':<{width}} {'points':>6} {'mean':>5} {'full':>5} {'none':>5}"]
    for e in found:
        lines.append(f"{e.name:<{width}} {e.points:>6g} {e.mean:>5.0%} {e.full:>5} {e.none:>5}")
        lines += [f"    {m}" for m in e.commonest()]
    return "\n".join(lines)


def write(folder: Path, found: list[Exercise]) -> list[Path]:
    """Writes statistics.csv and statistics.png."""
    path = folder / "statistics.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["exercise", "points", "students", "mean share", "full", "none", "commonest mistakes"])
        for e in found:
            rows.writerow([e.name, e.points, len(e.shares), f"{e.mean:.3f}", e.full, e.none, " | ".join(e.commonest())])
    picture(found).savefig(folder / "statistics.png", dpi=150, bbox_inches="tight")
    return [path, folder / "statistics.png"]


def picture(found: list[Exercise]):
    """Bars: for each exercise how many students earned all, a part, nothing. The signs do not rest on colour alone."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.5, 0.42 * len(found) + 1.4), layout="constrained")
    axes = figure.subplots()
    names = [e.name for e in found]
    full, none = [e.full for e in found], [e.none for e in found]
    part = [len(e.shares) - f - n for e, f, n in zip(found, full, none, strict=True)]
    left = [0] * len(found)
    for label, counts, colour, hatch in (
        ("all points", full, "#2a788e", ""),
        ("a part", part, "#a5db36", "//"),
        ("nothing", none, "#d9d9d9", ".."),
    ):
        axes.barh(names, counts, left=left, color=colour, hatch=hatch, edgecolor="white", label=label)
        left = [a + b for a, b in zip(left, counts, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("students")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper left", ncols=3, frameon=False)
    return figure
