"""Draws on a board: shapes that know from which stage on they are seen, saved as one SVG per stage."""

from __future__ import annotations

import html
import re
from pathlib import Path

WIDTH, HEIGHT = 1200, 580
INK, BLUE, RED, GREEN, GREY = "#1b1f24", "#0b5cad", "#b83200", "#00694b", "#8a939d"
FILL = {BLUE: "#e8f1fb", RED: "#fdeee6", GREEN: "#e5f5ee", INK: "#f6f8fa", GREY: "#ffffff"}
STAGES = ("blank", "half", "full")


class Board:
    """Shapes with the stage from which on they are seen."""

    def __init__(self, title: str) -> None:
        self.title, self.shapes = title, []
        self.text(0, 40, 54, title, size=36, anchor="start", weight=600)
        self.add(0, f'<line x1="40" y1="74" x2="1160" y2="74" stroke="{GREY}" stroke-width="2"/>')

    def add(self, stage: int, shape: str) -> None:
        self.shapes.append((stage, shape))

    def text(self, stage, x, y, words, *, size=26, colour=INK, anchor="middle", weight=400, style="normal") -> None:
        """One line; `_x_` is a subscript and `^x^` a superscript."""
        parts, level = [], 0.0
        for piece in re.split(r"(_[^_]+_|\^[^^]+\^)", words):
            inner = len(piece) > 2 and piece[0] in "_^" and piece[-1] == piece[0]
            wanted = {"_": 0.22, "^": -0.36}[piece[0]] * size if inner else 0.0
            small = f' font-size="{0.7 * size:g}"' if inner else ""
            # Firefox has no baseline-shift; dy moves this piece and all that follow it.
            words_of = html.escape(piece.strip("_^") if inner else piece)
            parts.append(f'<tspan dy="{wanted - level:.1f}"{small}>{words_of}</tspan>')
            level = wanted
        self.add(
            stage,
            f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" font-weight="{weight}" '
            f'font-style="{style}">{"".join(parts)}</text>',
        )

    def box(self, stage, x, y, w, h, words="", *, colour=INK, size=26, dashed=False) -> None:
        """A box with its middle at (x, y)."""
        dash = ' stroke-dasharray="8 6"' if dashed else ""
        self.add(
            stage,
            f'<rect x="{x - w / 2:g}" y="{y - h / 2:g}" width="{w}" height="{h}" rx="9" fill="{FILL[colour]}" '
            f'stroke="{colour}" stroke-width="2.5"{dash}/>',
        )
        if words:
            lines = words.split("\n")
            for i, line in enumerate(lines):
                at = y + size * 0.35 + (i - (len(lines) - 1) / 2) * size * 1.2
                self.text(stage, x, round(at), line, size=size, colour=colour if colour != GREY else INK)

    def arrow(self, stage, *points, colour=INK, head=True) -> None:
        """A line through the points, with a head at the last."""
        path = " ".join(f"{'M' if i == 0 else 'L'}{x:g} {y:g}" for i, (x, y) in enumerate(points))
        end = f' marker-end="url(#{colour[1:]})"' if head else ""
        self.add(stage, f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2.8"{end}/>')

    def cells(self, stage, x, y, side, values, *, colour=BLUE) -> None:
        """A matrix as squares; a value from 0 to 1 is how dark the square is, None a crossed one."""
        for i, row in enumerate(values):
            for j, value in enumerate(row):
                left, top = x + j * side, y + i * side
                fill = "#ffffff" if not value else colour
                opacity = 1 if not value else 0.12 + 0.88 * value
                place = f'x="{left}" y="{top}" width="{side}" height="{side}" stroke="{GREY}" stroke-width="1.5"'
                self.add(
                    stage, f'<rect {place} fill="#fff"/><rect {place} fill="{fill}" fill-opacity="{opacity:.2f}"/>'
                )
                if value is None:
                    self.text(stage, left + side / 2, top + side * 0.68, "×", size=round(side * 0.55), colour=RED)

    def save(self, folder: Path, name: str) -> None:
        """Write the three stages."""
        folder.mkdir(parents=True, exist_ok=True)
        markers = "".join(
            f'<marker id="{c[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6.5" markerHeight="6.5" '
            f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{c}"/></marker>'
            for c in (INK, BLUE, RED, GREEN, GREY)
        )
        for number, stage in enumerate(STAGES):
            body = "\n".join(shape for seen, shape in self.shapes if seen <= number)
            (folder / f"{name}_{stage}.svg").write_text(
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
                f'height="{HEIGHT}" role="img" font-family="Segoe UI, Helvetica Neue, Noto Sans, DejaVu Sans, Arial, '
                f'sans-serif">\n<title>{html.escape(self.title)} ({stage})</title>\n<defs>{markers}</defs>\n'
                f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n{body}\n</svg>\n',
                encoding="utf-8",
            )
