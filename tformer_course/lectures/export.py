"""`tformer slides` and `tformer handout`: one HTML file each, made by nbconvert, that asks the network for nothing."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.exporters import HTMLExporter, SlidesExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from tformer_course.lectures.kit import BOARD, Kit, slide_type, with_headings
from tformer_course.lectures.markdown import to_html

HERE = Path(__file__).parent
PICTURE = re.compile(r'^<img alt="(?P<alt>[^"]*)"[^>]*>$')
# What would be fetched from elsewhere; in a link that is only clicked it is fine.
OUTSIDE = re.compile(
    r"""(?:src|srcset|href|data|poster)\s*=\s*["']?(https?:)?//[^"'\s>]+|url\(\s*["']?(?:https?:)?//|@import""", re.I
)


class _Parts:
    """What both exporters share: our templates, our Markdown."""

    def __init__(self, kit: Kit, **options: Any) -> None:
        super().__init__(extra_template_basedirs=[str(HERE / "templates")], **options)
        self.register_filter("markdown2html", lambda source: to_html(source, str(kit.folder)))


class DeckExporter(_Parts, SlidesExporter):
    """Slides with reveal.js inside the page."""


class HandoutExporter(_Parts, HTMLExporter):
    """A page to read afterwards."""


def deck(kit: Kit) -> str:
    """The slide deck as one HTML page."""
    notebook = with_headings(kit.demo)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            # What draws the figure is not worth a line on a slide that shows it.
            cell.source = re.split(r"^(?:viz\.show|figure = )", cell.source, maxsplit=1, flags=re.MULTILINE)[0].rstrip()
            if any("<img" in str(o.get("data", {})) for o in cell.outputs):
                # The room belongs to the figure, which the last row must be able to read; key C shows the code.
                cell.metadata["tags"] = [*cell.metadata.get("tags", []), "folded"]
        else:
            cell.source = BOARD.sub(lambda board: _stages(kit, board), cell.source)
    return _export(DeckExporter(kit, template_name="deck"), notebook, kit)


def handout(kit: Kit) -> str:
    """The handout as one HTML page: text, figures and, folded, the code that made them; no printed output."""
    notebook = with_headings(kit.demo)
    # Polls come at the end, with their answers.
    notebook.cells = [
        cell
        for cell in notebook.cells
        if slide_type(cell) not in ("notes", "skip") and not cell.source.startswith("## Poll")
    ]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [o for o in cell.outputs if "<img" in o.get("data", {}).get("text/html", "")]
            for output in cell.outputs:
                output.data["text/html"] = PICTURE.sub(_with_caption, output.data["text/html"])
    closing = "\n\n".join(f"## {name}\n\n{kit.sections[name]}" for name in ("Misconceptions", "Polls"))
    closing = re.sub(
        r"^\*\*Answer[:.]\s*(.+)$", r"<details><summary>Answer</summary>**\1</details>", closing, flags=re.M
    )
    notebook.cells.append(nbformat.v4.new_markdown_cell(closing, id="from-the-kit"))
    return _export(HandoutExporter(kit, template_name="handout"), notebook, kit)


def write_page(kit: Kit, kind: str, output: str | None = None) -> Path:
    """Write the deck (`kind` is "slides") or the handout, by default into `dist/lectures/` of the working directory."""
    path = Path(output) if output else Path("dist") / "lectures" / f"{kit.name}_{kind}.html"
    page = deck(kit) if kind == "slides" else handout(kit)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, encoding="utf-8")
    return path


def outside_references(page: str) -> list[str]:
    """Everything in a page that a browser would fetch by itself from another machine."""
    page = re.sub(r"<a\s[^>]*>", "", page)
    return [found.group(0)[:120] for found in OUTSIDE.finditer(page)]


def _export(exporter: Any, notebook: NotebookNode, kit: Kit) -> str:
    notebook.metadata["title"] = kit.title
    own = {name: (HERE / name).read_text(encoding="utf-8") for name in ("deck.css", "handout.css")}
    kept = {
        name: (HERE / "reveal" / name).read_text(encoding="utf-8") for name in ("reveal.css", "reveal.js", "notes.js")
    }
    code = HtmlFormatter(style="default").get_style_defs(".highlight")
    resources = {"lecture": {**own, **kept, "code.css": code}, "metadata": {"name": kit.name, "path": str(kit.folder)}}
    page, _ = exporter.from_notebook_node(notebook, resources=resources)
    return page


def _with_caption(picture: re.Match[str]) -> str:
    """The words of a picture for all to read; who hears the page has had them already."""
    return f'<figure>{picture[0]}<figcaption aria-hidden="true">{picture["alt"]}</figcaption></figure>'


def _stages(kit: Kit, board: re.Match[str]) -> str:
    """The stages of a board on top of each other, each shown by a key press."""
    images = []
    for number, stage in enumerate(("blank", "half", "full")):
        svg = (kit.folder / f"{board['stem']}_{stage}.svg").read_bytes()
        source = base64.b64encode(svg).decode("ascii")
        # The last stage carries the words; the ones before are its beginnings.
        alt = board["alt"] if stage == "full" else ""
        shown = ' class="fragment"' if number else ""
        images.append(f'<img{shown} alt="{alt}" src="data:image/svg+xml;base64,{source}">')
    return f'<div class="r-stack board">{"".join(images)}</div>'
