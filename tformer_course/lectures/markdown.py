"""Markdown to HTML in which formulas are MathML: browsers draw it themselves, so no script has to be fetched."""

from __future__ import annotations

import html

from latex2mathml.converter import convert
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath


def mathml(latex: str, display: str = "inline") -> str:
    """One formula; its source stays with it for who reads it by ear or copies it.

    >>> mathml("x^2").startswith('<math xmlns="http://www.w3.org/1998/Math/MathML"')
    True
    """
    latex = latex.strip()
    made = convert(latex, display=display)
    return made.replace("<math ", f'<math alttext="{html.escape(latex)}" ', 1)


class Renderer(IPythonRenderer):
    """nbconvert's renderer, with formulas made here instead of by MathJax in the browser."""

    def block_math(self, body: str) -> str:
        """`$$…$$`."""
        return mathml(body, "block")

    def inline_math(self, body: str) -> str:
        """`$…$`."""
        return mathml(body)

    def latex_environment(self, name: str, body: str) -> str:
        r"""`\\begin{…}…\\end{…}`."""
        return mathml(rf"\begin{{{name}}}{body}\end{{{name}}}", "block")


def to_html(source: str, path: str = "") -> str:
    """Markdown of our own kits to HTML, with the pictures in it; `path` is the folder that they are found from."""
    renderer = Renderer(escape=False, embed_images=True, exclude_anchor_links=True, path=path)
    return str(MarkdownWithMath(renderer=renderer).render(source))
