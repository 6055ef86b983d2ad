"""The capstone's report: one page with numbers, figures, samples and what changed."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from .pipeline import STAGES

COLUMNS = {  # key of `examine` → heading, and whether it is a share
    "accuracy": ("greedy right", True),
    "pass@1": ("pass@1", True),
    "pass@n": ("pass@n", True),
    "form": ("right form", True),
    "gladly": ("says “gladly”", True),
    "plain loss": ("loss on plain text", False),
    "length": ("tokens", False),
}


def _text(value: float, share: bool) -> str:
    return f"{value:.0%}" if share else f"{value:.2f}"


def spread(values: Sequence[float], share: bool) -> str:
    """Mean over seeds, and from the smallest to the largest where there are several."""
    mean = _text(sum(values) / len(values), share)
    return mean if len(values) == 1 else f"{mean} ({_text(min(values), share)} – {_text(max(values), share)})"


def changes(runs: Sequence[Mapping]) -> list[str]:
    """One sentence per stage: what moved most against the stage before, over all seeds in the same direction."""
    said = []
    for before, after in zip(STAGES, STAGES[1:], strict=False):
        parts = []
        for key, (heading, share) in COLUMNS.items():
            moves = [run[after][key] - run[before][key] for run in runs]
            least = 0.05 if share else 0.1
            if min(moves) > least or max(moves) < -least:
                old, new = ([run[stage][key] for run in runs] for stage in (before, after))
                both = [sum(v) / len(v) for v in (old, new)]
                parts.append(f"{heading} {_text(both[0], share)} → {_text(both[1], share)}")
        said.append(f"{after}: {'; '.join(parts) or 'nothing beyond the spread'}")
    return said


def report_page(runs: Sequence[Mapping], figures: Sequence[str] = (), title: str = "Capstone report") -> str:
    """The page as HTML; every text in it is escaped, figures are taken as they are.

    Args:
        runs: Records of `run_pipeline`, one per seed.
        figures: `<img>` elements, for example of `viz.figure.image_html`.
        title: Heading.
    """
    cell = '<td style="text-align:left;vertical-align:top;padding:2px 8px">{}</td>'
    head = "".join(cell.format(f"<b>{h}</b>") for h in ("stage", *(h for h, _ in COLUMNS.values())))
    body = ""
    for stage in STAGES:
        numbers = [spread([run[stage][key] for run in runs], share) for key, (_, share) in COLUMNS.items()]
        body += "<tr>" + "".join(cell.format(html.escape(t)) for t in (stage, *numbers)) + "</tr>"
    written = "".join(
        "<tr>" + "".join(cell.format(html.escape(t)) for t in (stage, *runs[0][stage]["samples"][:3])) + "</tr>"
        for stage in STAGES
    )
    moved = "".join(f"<li>{html.escape(line)}</li>" for line in changes(runs))
    seeds = "one seed" if len(runs) == 1 else f"{len(runs)} seeds: mean (smallest – largest)"
    return (
        f"<h3>{html.escape(title)}</h3><p>{seeds}; sums of two numbers with two digits that no stage has seen.</p>"
        f"<table><tr>{head}</tr>{body}</table><p><b>What changed</b> (same direction in every seed)</p><ul>{moved}</ul>"
        f"<p><b>What it writes</b>, greedily, first seed</p><table>{written}</table>{''.join(figures)}"
    )


def write_report(path: str | Path, page: str) -> Path:
    """Write the page as a file that opens in any browser, without the network."""
    path = Path(path)
    style = "<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}</style>"
    path.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8">{style}{page}</html>', encoding="utf-8")
    return path
