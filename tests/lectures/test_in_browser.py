"""Decks, handouts and the stage in a real Chromium: with the network off, by the keyboard, and closed in mid-talk."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import chromium
from tests.chromium import screenshot
from tformer_course.lectures import export
from tformer_course.lectures.kit import find_kit, kit_names

pytestmark = chromium.marks
# One deck in `test`, all of them in `make proof`.
SMOKE = ("00_overview",)
KITS = [name if name in SMOKE else pytest.param(name, marks=pytest.mark.proof) for name in kit_names()]
# Milliseconds from a key press to the new picture: reported, and a failure only where nobody would wait for it.
WANTED, FAILS = 100, 400


@pytest.fixture
def context(browser) -> Iterator:
    """A context as large as a projector's picture."""
    with chromium.watched(browser, 1280, 720) as found:
        yield found


def is_blank(png: bytes) -> bool:
    """Whether nearly all of a picture has one colour."""
    import io

    from PIL import Image

    colours = Image.open(io.BytesIO(png)).convert("RGB").resize((160, 90)).getcolors(160 * 90)
    return max(count for count, _ in colours) > 0.995 * 160 * 90


@pytest.mark.parametrize("name", KITS)
def test_deck_shows_every_slide_with_the_network_off(context, tmp_path, name):
    (tmp_path / "deck.html").write_text(export.deck(find_kit(name)), encoding="utf-8")
    context.set_offline(True)
    page = context.new_page()
    page.goto((tmp_path / "deck.html").as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    assert page.evaluate("Reveal.getTotalSlides()") == len(find_kit(name).slides)
    lowest = """() => Math.max(...[...Reveal.getCurrentSlide().querySelectorAll('*')]
        .filter(e => !e.closest('aside')).map(e => e.getBoundingClientRect().bottom))"""
    wide = """() => Math.max(...[...Reveal.getCurrentSlide().querySelectorAll('img, p, pre, table, math')]
        .filter(e => !e.closest('aside')).map(e => e.getBoundingClientRect().right))"""
    for number in range(len(find_kit(name).slides)):
        page.evaluate("document.querySelectorAll('.present .fragment').forEach(f => f.classList.add('visible'))")
        assert page.evaluate(lowest) <= 712, f"slide {number + 1} is too long"
        assert page.evaluate(wide) <= 1280, f"slide {number + 1} is too wide"
        assert not is_blank(screenshot(page, f"deck_{name}_{number:02d}")), f"slide {number + 1} is blank"
        page.keyboard.press("PageDown")
        while not page.evaluate("Reveal.isLastSlide()") and page.evaluate("Reveal.getIndices().h") == number:
            page.keyboard.press("PageDown")  # the stages of a board
    assert page.evaluate("Reveal.isLastSlide()")
    sizes = page.evaluate("[...document.querySelectorAll('math')].map(m => m.getBoundingClientRect().width)")
    assert all(size == 0 or size > 2 for size in sizes)
    assert context.outside == [] and context.errors == []


def test_code_of_a_figure_is_shown_by_key_c_and_folded_on_the_next_slide(context, tmp_path):
    (tmp_path / "deck.html").write_text(export.deck(find_kit("00")), encoding="utf-8")
    page = context.new_page()
    page.goto((tmp_path / "deck.html").as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    page.evaluate("Reveal.slide(2)")
    code = page.locator("section.present details.code pre")
    picture = page.locator("section.present .jp-OutputArea-output > img").bounding_box()
    assert picture["height"] > 500 and picture["y"] + picture["height"] < 712
    assert not code.is_visible()
    page.keyboard.press("c")
    code.filter(has_text="attend(").wait_for()
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    assert not code.is_visible()
    page.locator("section.present details.code summary").click()
    assert code.is_visible()


def test_speaker_notes_open_beside_the_deck(context, tmp_path):
    (tmp_path / "deck.html").write_text(export.deck(find_kit("00")), encoding="utf-8")
    page = context.new_page()
    page.goto((tmp_path / "deck.html").as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    with context.expect_page() as opened:
        page.keyboard.press("s")
    notes = opened.value
    notes.get_by_text("Picture a meeting").first.wait_for()
    screenshot(notes, "deck_notes")


@pytest.mark.parametrize("name", KITS)
def test_handout_is_whole_with_the_network_off_and_opens_by_keyboard(context, tmp_path, name):
    (tmp_path / "handout.html").write_text(export.handout(find_kit(name)), encoding="utf-8")
    context.set_offline(True)
    page = context.new_page()
    page.goto((tmp_path / "handout.html").as_uri())
    broken = "[...document.images].filter(i => !i.complete || i.naturalWidth === 0).length"
    assert page.evaluate(broken) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("details").first.get_attribute("open") is not None
    screenshot(page, f"handout_{name}")
    assert context.outside == [] and context.errors == []


ANSWERS = """async (count) => {
  const area = document.querySelector('.tformer-shown .jp-OutputArea');
  const handle = area.querySelector('.noUi-handle');
  const picture = () => { const i = area.querySelector('img'); return i && i.complete ? i.src : null; };
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const before = picture(), began = performance.now();
    handle.dispatchEvent(new KeyboardEvent('keydown', {key: i % 2 ? 'ArrowLeft' : 'ArrowRight', bubbles: true}));
    while (!picture() || picture() === before) {
      await new Promise(requestAnimationFrame);
      if (performance.now() - began > 10000) return 'no answer';
    }
    times.push(performance.now() - began);
  }
  return times;
}"""


def snapshot(folders: list[Path]) -> dict[str, float]:
    """Every file of some folders with the time of its last change; not IPython's history, which any kernel writes."""
    files = [p for folder in folders if folder.exists() for p in folder.rglob("*") if p.is_file()]
    return {str(p): p.stat().st_mtime for p in files if not p.name.startswith("history.sqlite")}


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_stage_runs_restarts_and_leaves_nothing_behind(context, record_property):
    """One session of `tformer lecture 03`: slides, a live picture, a restart, a window that is closed in mid-talk."""
    from tformer_course.lectures.stage import stage

    homes = [Path.home() / ".jupyter", Path(sys.prefix) / "share/jupyter/lab/settings", Path.home() / ".ipython"]
    before = snapshot(homes)
    with stage(find_kit("03")) as running:
        page = context.new_page()
        page.goto(running.speaker)
        with context.expect_page() as opened:
            page.locator("#open").click()
        lab = opened.value
        lab.set_viewport_size({"width": 1280, "height": 720})
        state = page.locator("#state")
        state.filter(has_text="The stage is ready").wait_for()
        lab.get_by_role("heading", name="Positions", exact=True).wait_for()
        assert not lab.locator("#jp-top-panel").is_visible()  # the notebook alone
        assert lab.evaluate("getComputedStyle(document.querySelector('.cm-line')).fontSize") >= "18px"

        # The keyboard goes from slide to slide; the notes follow.
        lab.keyboard.press("PageDown")
        page.locator(".notes .now h3").filter(has_text="What would you write down").wait_for()
        for _ in range(4):  # three stages of the board, and the first cell
            lab.keyboard.press("PageDown")
        lab.get_by_role("heading", name="The clocks").wait_for()
        began = time.monotonic()
        lab.keyboard.press("Shift+Enter")
        lab.locator(".tformer-shown .jp-OutputArea img").wait_for()
        record_property("first cell, seconds", round(time.monotonic() - began, 2))
        screenshot(lab, "stage_cell")

        # A live picture answers by the keyboard.
        while not lab.get_by_role("heading", name="Base, width").is_visible():
            lab.keyboard.press("PageDown")
            lab.wait_for_timeout(100)
        lab.keyboard.press("Shift+Enter")
        lab.locator(".tformer-shown .noUi-handle").first.wait_for()
        lab.locator(".tformer-shown .jp-OutputArea img").wait_for()
        times = lab.evaluate(ANSWERS, 15)
        assert times != "no answer"
        median = statistics.median(times)
        record_property("live picture, median ms", round(median))
        print(f"live picture: median {median:.0f} ms of 15 key presses (wanted {WANTED}), largest {max(times):.0f} ms")
        if os.getloadavg()[0] <= (os.cpu_count() or 1):  # on a busy machine the number says nothing about the picture
            assert median <= FAILS
        picture = lab.locator(".tformer-shown .jp-OutputArea img")
        said = picture.get_attribute("alt")
        lab.locator(".tformer-shown .noUi-handle").last.focus()
        lab.keyboard.press("ArrowRight")
        lab.wait_for_function("said => document.querySelector('.tformer-shown img')?.alt !== said", arg=said)
        screenshot(lab, "stage_live")

        # Restart: slide 1, no outputs, and a kernel that has done the imports.
        page.locator("#restart").click()
        state.filter(has_text="Restarted in").wait_for()
        print(state.inner_text())
        assert lab.locator(".jp-OutputArea img").count() == 0
        assert lab.get_by_role("heading", name="Positions", exact=True).is_visible()
        for _ in range(5):
            lab.keyboard.press("PageDown")
        lab.keyboard.press("Shift+Enter")
        lab.locator(".tformer-shown .jp-OutputArea img").wait_for()
        screenshot(page, "stage_speaker")

        lab.close()  # in mid-talk
        folder = running.folder
    assert not folder.exists()
    assert snapshot(homes) == before
    assert context.outside == []
    assert context.errors == []


@pytest.mark.proof
@pytest.mark.parametrize("name", kit_names())
def test_demo_runs_within_its_minutes(name, record_property):
    """Each live cell takes at most 5 s; the whole demo is a small part of its minutes."""
    import json

    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.from_dict(json.loads(json.dumps(find_kit(name).demo)))
    client, seconds = NotebookClient(notebook, timeout=60), {}
    with client.setup_kernel():
        for index, cell in enumerate(notebook.cells):
            began = time.monotonic()
            client.execute_cell(cell, index)
            seconds[cell.id] = time.monotonic() - began
    seconds.pop("setup")
    slowest = max(seconds, key=seconds.get)
    record_property("slowest cell", f"{slowest} {seconds[slowest]:.1f} s")
    print(f"{name}: {sum(seconds.values()):.0f} s in all, slowest {slowest} {seconds[slowest]:.1f} s")
    # Twice the budget: a shared machine is slower than a lecturer's.
    assert seconds[slowest] <= 10
    assert sum(seconds.values()) < 60 * find_kit(name).total_minutes / 10
