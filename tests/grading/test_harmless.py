"""What students wrote is shown without anything that acts, in a time that no text can stretch."""

from __future__ import annotations

import html
import re
import time

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from tformer_course.grading import harmless


@pytest.mark.parametrize(
    "source",
    [
        r"$\href{javascript:alert(1)}{x}$",
        r"$&#92;href{javascript:alert(1)}{x}$",
        r"\begin{equation}\style{position:fixed}{x}\end{equation}",
        r"\\(\cssId{menu}{x}\\)",
        "<span>$&#x5c;class{a}{b}$</span>",
    ],
)
def test_formulas_cannot_act(source):
    latex = harmless.data({"text/latex": source})["text/latex"]
    for page in (markdown2html_mistune(harmless.markdown(source)), harmless.html(source), latex):
        words = re.sub(r"(?s)<pre>.*?</pre>|<[^>]*>", "", page)  # formulas are not looked for in <pre>
        assert not re.search(r"\\(href|style|cssId|class)\b", html.unescape(words)), page


def test_markup_in_latex_is_text():
    assert harmless.data({"text/latex": "$a < b & c <script>"})["text/latex"] == "$a &lt; b &amp; c &lt;script&gt;"


def test_plain_formulas_stay_as_they_are():
    source = r"$$\mathrm{softmax}\left(\frac{QK^\top}{\sqrt{d}}\right) V, \quad a < b & c \hrefs$$"
    assert harmless.markdown(source) == source


def test_diagrams_are_shown_as_text():
    assert harmless.markdown("```mermaid\ngraph LR\n```").startswith("    ```mermaid")
    assert harmless.html("<pre class='Mermaid'>graph LR</pre>") == ""


@pytest.mark.slow
def test_no_text_takes_long():
    texts = ["<!--", r"\begin{a}", r"\\(", "a" + " " * 900, "![", "|a|b\n", "> ", "~~a"]
    began = time.process_time()
    with harmless.patience(3.0):
        for text in texts:
            harmless.markdown((text * 50_000)[:49_000])
            harmless.markdown(text * 50_000)
        for tag in ("<b>", "<div>", "<table><a>", "&a", "< "):
            harmless.html((tag * 70_000)[:190_000])
        assert harmless.markdown("*short*") == "    *short*", "when the time is used up, all is plain"
    assert time.process_time() - began < 8
    assert harmless.markdown("*short*") == "*short*"


def test_lines_for_a_terminal_do_not_move_its_cursor():
    assert harmless.line("a\x1b[2J\r\nb\u202ec\ud800") == "a [2J  b c?"
