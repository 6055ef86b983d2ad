"""Two explorers on a page: the notebook that makes them, and everything that a user does with one."""

from __future__ import annotations

import nbformat
import numpy as np

from tests.chromium import screenshot

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
