"""The explorer in a real browser: live, without a kernel, exported, untrusted; hostile tokens; no request leaves."""

from __future__ import annotations

import os
import subprocess
import sys

import nbformat
import numpy as np
import pytest

from tests import chromium
from tests.chromium import ROOT, Lab, run_all, screenshot

pytestmark = chromium.marks
HOSTILE = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    "\u202eabc",
    "שלום",
    "\u200b",
    "😀",
    "中文",
    "&lt;b&gt;",
    "`${window.hacked=1}`",
    "\u2028'\"\\",
    " the",
    "",
]
SHOWN = [  # how they must read
    *HOSTILE[:2],
    "\\u{202e}abc",
    "שלום",
    "\\u{200b}",
    "😀",
    "中文",
    "&lt;b&gt;",
    "`${window.hacked=1}`",
    "\\u{2028}'\"\\",
    "␣the",
    "∅",
]
N = len(HOSTILE)
ALT = 'alternative "text" with <b> & more'
CODE = f"""
import torch
from tformer_course.viz import explore_attention
tokens = {HOSTILE!r}
weights = torch.softmax(2 * torch.randn(2, 1, 3, {N}, {N}, generator=torch.Generator().manual_seed(0)), -1)
explore_attention(weights, tokens, alt={ALT!r})
"""
CODE_2 = f"explore_attention(torch.eye({N})[:5].flip(0), tokens[:5], tokens, alt='one rectangular head')"


def weights() -> np.ndarray:
    """The weights that the first cell shows, `(2, 3, N, N)`."""
    import torch

    generator = torch.Generator().manual_seed(0)
    return torch.softmax(2 * torch.randn(2, 1, 3, N, N, generator=generator), -1)[:, 0].numpy()


def notebook(kernel: str = "python3", *, code: tuple[str, ...] = (CODE, CODE_2)) -> nbformat.NotebookNode:
    """A notebook with two explorers, not yet run."""
    metadata = {"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}}
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in code], metadata=metadata)


@pytest.fixture(scope="module")
def executed() -> nbformat.NotebookNode:
    """The same notebook, run."""
    from nbclient import NotebookClient

    ran = notebook()
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), path]))
    try:
        NotebookClient(ran, timeout=300).execute()
    finally:
        os.environ.pop("PYTHONPATH") if path is None else os.environ.update(PYTHONPATH=path)
    return ran


def ready(page, count: int = 2) -> list:
    """Wait until so many explorers have replaced their pictures; returns them."""
    try:
        page.wait_for_function(f"document.querySelectorAll('.tformer-explorer[data-ready]').length === {count}")
    finally:
        screenshot(page, "ready")
    return [page.locator(".tformer-explorer").nth(index) for index in range(count)]


def read(explorer) -> str:
    """The line that says which weight is under the cursor."""
    return explorer.locator(".readout div").first.inner_text().replace("\u2068", "").replace("\u2069", "")


def said(layer: int, head: int, row: int, column: int) -> str:
    """What that line must say for the first explorer."""
    byte = round(float(weights()[layer, head, row, column]) * 255)
    number = "< 0.002" if byte == 0 else f"{byte / 255:.{3 if byte < 26 else 2}f}"
    query, key = (text if len(text) <= 24 else text[:24] + "…" for text in (SHOWN[row], SHOWN[column]))
    return f"layer {layer}, head {head}: query “{query}” ({row}) → key “{key}” ({column}): {number}"


def hover(explorer, row: int, column: int) -> None:
    """Move the mouse to the middle of a cell."""
    cell = explorer.locator(".map").evaluate("map => map.clientWidth / map.width")
    explorer.locator(".plot").hover(position={"x": (column + 0.5) * cell, "y": (row + 0.5) * cell}, force=True)


def check_explorers(page) -> None:
    """Everything a user does, with the mouse and with the keyboard, in the first of two explorers."""
    first, second = ready(page)
    first.scroll_into_view_if_needed()
    assert not first.locator("img").is_visible()
    untouched = read(second)

    # Hostile tokens are text: they read as written, and nothing of them ran.
    for axis in ("rows", "columns", "from", "to"):
        assert first.locator(f".{axis} span").all_text_contents() == SHOWN
    assert page.evaluate("window.hacked") is None
    assert page.locator(".tformer-explorer img").count() == 2

    # The picture is that of the weights.
    pixel = "(map, [x, y]) => [...map.getContext('2d').getImageData(x, y, 1, 1).data]"
    from matplotlib import colormaps

    for row, column in ((0, 0), (3, 7), (N - 1, 2)):
        level = int(np.rint(weights()[0, 0, row, column] * 255))
        expected = list(colormaps["viridis"](level, bytes=True))
        assert first.locator(".map").evaluate(pixel, [column, row]) == [int(value) for value in expected]

    # Mouse: read a weight, keep a row, free it.
    hover(first, 3, 5)
    assert read(first) == said(0, 0, 3, 5)
    hover(first, 6, 2)
    assert read(first) == said(0, 0, 6, 2)
    first.locator(".rows span").nth(4).click()
    assert first.get_by_role("button", name="all rows").is_visible()
    assert first.locator(".map").evaluate(pixel, [0, 3])[3] < 255 == first.locator(".map").evaluate(pixel, [0, 4])[3]
    hover(first, 8, 9)
    assert read(first) == said(0, 0, 4, 9)  # the row is kept
    first.get_by_role("button", name="all rows").click()
    screenshot(page, "matrix")

    # Sliders and the overview of all heads.
    first.get_by_label("layer", exact=True).fill("1")
    assert read(first).startswith("layer 1, head 0")
    first.locator(".overview").click(position={"x": 2.5 * 30, "y": 0.5 * 30})
    assert read(first).startswith("layer 0, head 2")

    # Keyboard alone.
    first.locator(".stage").focus()
    hover(first, 5, 5)
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowLeft", "{", "[", "}", "[", "["):
        page.keyboard.press(key)
    assert read(first) == said(1, 0, 4, 6)
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert read(first) == said(1, 0, 4, N - 1)
    assert first.get_by_role("button", name="all rows").is_visible()
    page.keyboard.press("Escape")
    assert not first.get_by_role("button", name="all rows").is_visible()

    # Lines between tokens.
    first.get_by_role("button", name="lines").click()
    first.locator(".from span").nth(7).hover()
    assert read(first) == said(1, 0, 7, N - 1)
    ink = "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(v => v)"
    assert first.locator(".lines canvas").evaluate(ink)
    screenshot(page, "lines")
    first.get_by_role("button", name="matrix").click()

    # The other explorer took no part in it, and its rectangle is right.
    assert read(second) == untouched
    assert second.locator(".rows span").count() == 5 and second.locator(".columns span").count() == N
    second.scroll_into_view_if_needed()
    hover(second, 1, 3)
    assert read(second).endswith("(1) → key “שלום” (3): 1.00")


def open_in_lab(page, lab: Lab, name: str, content: nbformat.NotebookNode, *, trusted: bool = False) -> None:
    """Save a notebook, sign it where it is to be trusted, and open it."""
    nbformat.write(content, lab.folder / name)
    if trusted:
        command = [sys.executable, "-m", "nbformat.sign", str(lab.folder / name)]
        subprocess.run(command, env=lab.environment, check=True, capture_output=True)
    page.goto(f"{lab.address}/lab/tree/{name}?reset")
    page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for()


def choose_no_kernel(page) -> None:
    """Answer JupyterLab's question for a kernel with none; on a slow start it asks twice, one dialog on the other."""
    dialogs = page.locator("dialog.jp-Dialog")
    dialogs.first.wait_for()
    screenshot(page, "dialogs")
    quiet = 0
    while quiet < 3:
        page.wait_for_timeout(700)
        quiet = quiet + 1 if dialogs.count() == 0 else 0
        if quiet == 0:
            dialogs.last.get_by_role("button", name="No Kernel", exact=True).dispatch_event("click")


def test_live_in_jupyterlab(page, lab):
    open_in_lab(page, lab, "live.ipynb", notebook())
    run_all(page, 120)
    check_explorers(page)
    assert page.context.outside == []


def test_reopened_without_a_kernel(page, lab, executed):
    reopened = notebook(kernel="gone")
    reopened.cells = executed.cells
    open_in_lab(page, lab, "reopened.ipynb", reopened, trusted=True)
    choose_no_kernel(page)
    check_explorers(page)
    assert page.context.outside == []


def test_untrusted_notebook_keeps_the_picture(page, lab, executed):
    untrusted = notebook(kernel="gone")
    untrusted.cells = executed.cells
    untrusted.metadata["title"] = "not signed"
    open_in_lab(page, lab, "untrusted.ipynb", untrusted)
    choose_no_kernel(page)
    picture = page.get_by_alt_text(ALT)
    picture.wait_for()
    assert picture.is_visible() and picture.bounding_box()["height"] > 200
    assert page.locator(".explorer").count() == 0
    assert page.evaluate("window.hacked") is None
    screenshot(page, "untrusted")
    assert page.context.outside == []


def test_exported_page_works_with_the_network_off(page, executed, tmp_path):
    from nbconvert import HTMLExporter

    def requests_of(content: nbformat.NotebookNode) -> list[str]:
        file = tmp_path / "page.html"
        file.write_text(HTMLExporter().from_notebook_node(content)[0], encoding="utf-8")
        page.context.outside.clear()
        page.goto(file.as_uri())
        return sorted(page.context.outside)

    page.context.set_offline(True)
    template = requests_of(notebook(code=("1 + 1",)))  # nbconvert's own: MathJax and require.js
    assert requests_of(executed) == template
    check_explorers(page)
    assert sorted(page.context.outside) == template


def test_keyboard_reaches_every_control(page, executed, tmp_path):
    file = tmp_path / "page.html"
    file.write_text(
        f"<!doctype html><meta charset=utf-8>{executed.cells[0].outputs[0]['data']['text/html']}", encoding="utf-8"
    )
    page.goto(file.as_uri())
    ready(page, 1)
    reached = []
    for _ in range(5):
        page.keyboard.press("Tab")
        inside = "document.querySelector('.tformer-explorer > div').shadowRoot.activeElement"
        reached.append(page.evaluate(f"{inside}?.ariaLabel || {inside}?.textContent"))
    assert reached[:4] == ["layer", "head", "matrix", "lines"]
    assert reached[4].startswith("Attention weights of layer 0, head 0.")
    assert page.context.outside == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_contrasts_with_the_theme(page, executed, tmp_path, scheme):
    file = tmp_path / "page.html"
    html = executed.cells[0].outputs[0]["data"]["text/html"]
    file.write_text(
        f"<!doctype html><meta charset=utf-8><style>:root{{color-scheme:{scheme}}}</style>{html}", encoding="utf-8"
    )
    page.goto(file.as_uri())
    (explorer,) = ready(page, 1)
    colours = explorer.locator(".explorer").evaluate(
        "element => [getComputedStyle(element).color, getComputedStyle(element).backgroundColor]"
    )
    text, ground = (np.mean([float(x) for x in colour[4:-1].split(",")[:3]]) for colour in colours)
    assert (text < 80 and ground > 200) if scheme == "light" else (text > 200 and ground < 80)


def test_data_cut_short_leave_the_picture(page, tmp_path, executed):
    html = executed.cells[0].outputs[0]["data"]["text/html"]
    start = html.index('"weights": "') + len('"weights": "')
    broken = html[: start + 200] + html[html.index('"', start) :]
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8>{broken}", encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_timeout(500)
    assert page.get_by_alt_text(ALT).is_visible()
    assert page.locator(".explorer").count() == 0


def test_long_texts_scroll_inside_the_explorer(page, tmp_path):
    from tformer_course.viz.explorer import explorer_html

    html = explorer_html(np.full((1, 1, 160, 160), 1 / 160), [f"token{index}" for index in range(160)], alt="uniform")
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8>{html}", encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    (explorer,) = ready(page, 1)
    explorer.locator(".stage").focus()
    page.keyboard.press("End")
    sizes = explorer.locator(".stage").evaluate("stage => [stage.scrollWidth, stage.clientWidth, stage.scrollLeft]")
    assert sizes[0] > sizes[1] and sizes[2] > 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    last = explorer.locator(".rows span").last  # the labels stay in sight
    box, stage = last.bounding_box(), explorer.locator(".stage").bounding_box()
    assert stage["x"] <= box["x"] < stage["x"] + 150
