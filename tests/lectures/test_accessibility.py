"""Handouts, decks and the explorer by keyboard and for a screen reader, and with enough contrast: axe-core, and Tab."""

from __future__ import annotations

import pytest
import torch

from tests import chromium
from tests.chromium import axe_findings
from tformer_course.lectures import export
from tformer_course.lectures.kit import find_kit, kit_names
from tformer_course.lectures.speaker import speaker_page
from tformer_course.lectures.stage import stage_notebook
from tformer_course.viz.explorer import explorer_html

pytestmark = chromium.marks
SMOKE = "03_positions"  # its handout in `test`, all else in `make proof`
KITS = [name if name == SMOKE else pytest.param(name, marks=pytest.mark.proof) for name in kit_names()]
# How much in a page can be used, shadows of explorers too; and what has the focus, by name, and whether it shows.
USABLE = """() => {
  const all = root => [...root.querySelectorAll('*')].flatMap(it => it.shadowRoot ? [it, ...all(it.shadowRoot)] : [it]);
  return all(document).filter(it => it.matches('a[href], button, input, select, summary, [tabindex="0"]'))
    .filter(it => it.checkVisibility() && !it.disabled).length;
}"""
FOCUSED = """() => {
  let it = document.activeElement;
  while (it && it.shadowRoot && it.shadowRoot.activeElement) it = it.shadowRoot.activeElement;
  if (!it || it === document.body) return null;
  window.met = window.met || new Set();
  const known = window.met.has(it);
  window.met.add(it);
  const look = getComputedStyle(it);
  return { known, name: (it.ariaLabel || it.textContent || it.title).trim().slice(0, 60),
           seen: look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) > 0 };
}"""


def shown(page, tmp_path, html: str) -> None:
    """Open a page from a file, with the network off."""
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    page.context.set_offline(True)
    page.goto((tmp_path / "page.html").as_uri())


def tab_through(page) -> int:
    """Press Tab until the page's end; returns how many things had the focus. Each has a name and shows its focus."""
    count = 0
    while count < 1000:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or focused["known"]:
            break
        assert focused["name"] and focused["seen"], focused
        count += 1
    return count


@pytest.mark.parametrize("name", KITS)
def test_handout_passes_axe_and_works_by_keyboard(page, tmp_path, name):
    shown(page, tmp_path, export.handout(find_kit(name)))
    page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = true; })")
    assert axe_findings(page) == []
    assert tab_through(page) == page.evaluate(USABLE) > 0
    # Each fold opens and closes by Enter.
    page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = false; })")
    for fold in page.locator("summary").all():
        fold.focus()
        page.keyboard.press("Enter")
    assert page.locator("details:not([open])").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_explorer_passes_axe_and_works_by_keyboard(page, tmp_path, scheme):
    weights = torch.softmax(torch.randn(2, 3, 40, 40, generator=torch.Generator().manual_seed(0)), -1)
    explorer = explorer_html(weights.numpy(), [f"token{i}" for i in range(40)], alt="Weights of two layers")
    head = f"<meta charset=utf-8><title>Explorer</title><style>:root {{ color-scheme: {scheme} }}</style>"
    body = f"<body><main><h1>Explorer</h1>{explorer}</main></body>"
    shown(page, tmp_path, f'<!doctype html><html lang="en"><head>{head}</head>{body}</html>')
    page.locator(".tformer-explorer[data-ready]").wait_for()
    assert axe_findings(page) == []
    page.get_by_role("button", name="lines").click()
    assert axe_findings(page) == []
    page.get_by_role("button", name="matrix").click()
    page.evaluate("document.activeElement.blur()")
    page.mouse.click(2, 2)
    assert tab_through(page) == page.evaluate(USABLE) > 3


@pytest.mark.proof
@pytest.mark.parametrize("name", kit_names())
def test_speaker_page_passes_axe(page, tmp_path, name):
    kit = find_kit(name)
    shown(page, tmp_path, speaker_page(kit, stage_notebook(kit)))
    page.evaluate("document.querySelectorAll('details').forEach(it => { it.open = true; })")
    assert axe_findings(page) == []


@pytest.mark.proof
@pytest.mark.parametrize("name", kit_names())
def test_every_slide_of_the_deck_passes_axe(page, tmp_path, name):
    kit = find_kit(name)
    shown(page, tmp_path, export.deck(kit))
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    for number in range(len(kit.slides)):
        page.evaluate("number => Reveal.slide(number)", number)
        page.evaluate("document.querySelectorAll('.present .fragment').forEach(it => it.classList.add('visible'))")
        page.wait_for_timeout(100)
        assert axe_findings(page) == [], f"slide {number + 1}"
