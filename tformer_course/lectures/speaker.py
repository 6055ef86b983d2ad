"""The speaker's page: minute table with a clock, notes that follow the stage, boards, polls and plan B."""

from __future__ import annotations

import base64
import html
import json
from pathlib import Path

from nbformat import NotebookNode

from tformer_course.lectures.kit import Kit, slide_type
from tformer_course.lectures.markdown import to_html

HERE = Path(__file__).parent


def speaker_page(kit: Kit, demo: NotebookNode) -> str:
    """The whole page. It works as a file too; then it has no stage to lead.

    Args:
        kit: The kit.
        demo: The notebook on the stage, without its notes.
    """
    data = {
        "rows": [{"start": r.start, "end": r.end} for r in kit.minutes],
        "slides": slides_of(demo),
        "notebook": {**demo, "cells": [trusted(cell) for cell in demo.cells]},
    }
    rows = "".join(
        f"<tr><td>{r.start}–{r.end}</td><td>{to_html(r.what)}</td><td>{to_html(r.how)}</td></tr>" for r in kit.minutes
    )
    notes = "".join(
        f'<section data-slide="{i}"><h3>{i + 1}. {to_html(s.heading)[3:-5]}</h3>{to_html(s.notes)}</section>'
        for i, s in enumerate(kit.slides)
    )
    parts = {
        "TITLE": html.escape(kit.title),
        "CSS": (HERE / "speaker.css").read_text(encoding="utf-8"),
        "ROWS": rows,
        "NOTES": notes,
        "BOARDS": "".join(board(stages) for stages in kit.boards),
        "GOAL": to_html(kit.sections["Goal"]),
        "MISCONCEPTIONS": to_html(kit.sections["Misconceptions"]),
        "POLLS": to_html(kit.sections["Polls"]),
        "PLAN": to_html(kit.sections["Plan B"]),
        "DATA": json.dumps(data).replace("<", "\\u003c"),
        "SCRIPT": (HERE / "speaker.js").read_text(encoding="utf-8"),
    }
    page = (HERE / "speaker.html").read_text(encoding="utf-8")
    for name, text in parts.items():
        page = page.replace(f"<!--{name}-->", text)
    return page


def slides_of(demo: NotebookNode) -> list[dict]:
    """For each slide of the stage its cells' ids and the number of its notes; each `slide` and `subslide` opens one."""
    slides: list[dict] = []
    for cell in demo.cells:
        if slide_type(cell) in ("slide", "subslide") or not slides:
            slides.append({"cells": [], "notes": cell.metadata["notes_of"]})
        slides[-1]["cells"].append(cell.id)
    return slides


def trusted(cell: NotebookNode) -> dict:
    """The cell marked as trusted, so that the server signs the notebook that a restart puts back."""
    return {**cell, "metadata": {**cell.metadata, "trusted": True}}


def board(stages: list[Path]) -> str:
    """One board with a button for each further stage."""
    images = []
    for path in stages:
        source = base64.b64encode(path.read_bytes()).decode("ascii")
        images.append(f'<img alt="{html.escape(path.stem)}" src="data:image/svg+xml;base64,{source}">')
    name = stages[0].stem.rsplit("_", 1)[0]
    return f'<div class="board"><h3>{html.escape(name)}</h3>{"".join(images)}</div>'
