"""What students wrote, made fit to be shown on a page: no script, no markup that could act, no broken text.

nbconvert shows Markdown, HTML, SVG, LaTeX and raw cells as they are, in formgrader at the address of the instructor's
Jupyter server. `nbconvert.preprocessors.SanitizeHTML` escapes `<` inside code spans and formulas too, and leaves
LaTeX and picture data alone; hence the few lines here, around the same library (bleach).

Renderers take a time that grows with the square of some texts. What takes too long is shown as plain text.
"""

from __future__ import annotations

import contextlib
import contextvars
import re
import time
from collections.abc import Callable, Iterator
from html import escape
from html.parser import HTMLParser
from typing import Any

import bleach
from bleach.css_sanitizer import CSSSanitizer
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from ..checks.core.guards import TimeLimitError, time_limit

MAX_TEXT = 20_000  # characters of one output
MAX_MARKDOWN = 50_000  # characters that are rendered
MAX_HTML = 200_000
SECONDS_EACH = 2.0  # of the processor, for one text
SECONDS_IN_ALL = 20.0  # for all texts of a notebook
MAX_PICTURE = 4_000_000
MAX_OUTPUTS = 200  # of one cell
_TEXT = "a abbr b blockquote br caption code dd details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img kbd"
_TEXT += " li ol p pre q s small span strong sub summary sup tt u ul col colgroup table tbody td tfoot th thead tr"
TAGS = frozenset(_TEXT.split())
FORBIDDEN = re.compile(r"(?i)<\s*(?:/\s*)?(script|style|iframe|object|embed|svg|math|form|meta|base)")
ATTRIBUTES = {"*": ["title", "class", "colspan", "rowspan", "style"], "a": ["href"], "img": ["src", "alt"]}
STYLES = CSSSanitizer(allowed_css_properties=["color", "background-color", "font-weight", "text-align", "white-space"])
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]+")  # nbconvert puts picture data on the page as it is
# MathJax makes links, styles and more of these, \href{javascript:…}{…} among them.
ACTIVE_TEX = re.compile(
    r"\\(?=(href|url|style|cssId|class|data|require|csname|mmlToken|bbox|includegraphics)(?![a-zA-Z]))"
)
ACTIVE = re.compile(r"(?i)^\s*(javascript|vbscript|data(?!:image/(png|jpeg|gif);base64,)|file)\s*:")


_left: contextvars.ContextVar[list[float] | None] = contextvars.ContextVar("left", default=None)


@contextlib.contextmanager
def patience(seconds: float = SECONDS_IN_ALL) -> Iterator[None]:
    """While the block runs, all texts together may take that many seconds of the processor."""
    token = _left.set([seconds])
    try:
        yield
    finally:
        _left.reset(token)


def _in_time(function: Callable[[str], Any], source: str) -> Any:
    """What the function makes of the source; None where that takes too long."""
    left = _left.get() or [SECONDS_EACH]
    if left[0] <= 0:
        return None
    began = time.process_time()
    try:
        with time_limit(min(left[0], SECONDS_EACH)):
            return function(source)
    except TimeLimitError:
        return None
    finally:
        left[0] -= time.process_time() - began


def text(value: Any, limit: int = MAX_TEXT) -> str:
    """A string that any file and page can hold, cut at `limit`."""
    kept = str(value)[:limit].encode("utf-8", "replace").decode("utf-8").replace("\x00", "\ufffd")
    return kept if len(kept) < limit else kept + " […]"


def line(value: Any, limit: int = 600) -> str:
    """One line of printable characters: what a terminal shows must not move its cursor."""
    return "".join(c if c.isprintable() else " " for c in text(value, limit))


def html(source: str) -> str:
    """HTML with the tags of plain text and tables only; nothing where it is too long, or takes too long to clean."""
    return (_in_time(_cleaned, source) or "") if len(source) <= MAX_HTML else ""


def _cleaned(source: str) -> str:
    protocols = {"http", "https", "mailto", "data"}
    cleaned = bleach.clean(source, TAGS, ATTRIBUTES, protocols, strip=True, css_sanitizer=STYLES)
    return "" if _acts(cleaned) else cleaned


class _Look(HTMLParser):
    """Notes whether a page has markup that is more than text and tables."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.acts = False
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or name in {"srcdoc", "formaction", "action", "background", "ping"}:
                self.acts = True
            address = re.sub(r"[\x00-\x20]", "", value or "")
            if name in {"href", "src", "xlink:href", "srcset"} and ACTIVE.match(address):
                self.acts = True
            # A picture from outside would tell its owner that the page is read.
            if name in {"src", "srcset"} and re.match(r"(?i)\s*([a-z]+:)?//", value or ""):
                self.acts = True
            # Diagrams are drawn by a script that is not ours.
            if name == "class" and "mermaid" in (value or "").lower():
                self.acts = True
            if name == "style" and re.search(r"(?i)url\(|expression|position|@import|behavior", value or ""):
                self.acts = True
        if tag not in TAGS:
            self.acts = True

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.acts = True

    handle_decl = handle_pi = unknown_decl = handle_comment


def _acts(page: str) -> bool:
    look = _Look()
    look.feed(page)
    look.close()
    return look.acts or bool(FORBIDDEN.search(page)) or bool(ACTIVE_TEX.search("".join(look.texts)))


def tex(source: str) -> str:
    """The text with an invisible character in those commands of TeX that could act."""
    return ACTIVE_TEX.sub("\\\\\u2060", source)


def markdown(source: str) -> str:
    """Markdown whose page has nothing but text, formulas, tables and links.

    The page is made by nbconvert's own renderer and looked through; only a text that fails this is changed: first
    its markup is escaped, and if that is not enough the whole of it is shown as a code block.
    """
    source = tex(text(source, 200_000))
    if len(source) <= MAX_MARKDOWN and (shown := _in_time(_first_quiet, source)) is not None:
        return shown
    return "\n".join("    " + line.replace("<", "‹") for line in source.splitlines())


def _first_quiet(source: str) -> str | None:
    for candidate in (source, re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", source), source.replace("<", "&lt;")):
        try:
            page = markdown2html_mistune(candidate)
        except Exception:  # a text that breaks the renderer
            return None
        if not _acts(page):
            return candidate
    return None


def data(bundle: Any) -> dict[str, str]:
    """The part of an output's bundle that can be shown."""
    kept: dict[str, str] = {}
    for kind, value in bundle.items() if isinstance(bundle, dict) else ():
        if isinstance(value, list):
            value = "".join(v for v in value if isinstance(v, str))
        if not isinstance(value, str):
            continue
        if kind == "text/plain":
            kept[kind] = text(value)
        elif kind == "text/html" and len(value) <= MAX_HTML:
            kept[kind] = html(text(value, MAX_HTML))
        elif kind == "text/markdown":
            kept[kind] = markdown(text(value))
        elif kind == "text/latex":
            kept[kind] = escape(tex(text(value)), quote=False)
        elif kind in {"image/png", "image/jpeg"} and len(value) <= MAX_PICTURE and BASE64.fullmatch(value):
            kept[kind] = value
    return kept or {"text/plain": "[an output that cannot be shown here]"}


def raw(source: str) -> str:
    """A raw cell as Markdown: nbconvert would put it on the page as it is."""
    return "\n".join("    " + line for line in text(source, 200_000).splitlines())
