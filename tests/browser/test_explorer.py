"""The explorer in a real browser: live, without a kernel, exported, untrusted; hostile tokens; no request leaves."""

from __future__ import annotations

import os
import subprocess
import sys

import nbformat
import numpy as np
import pytest

from tests import chromium
from tests.browser.explorers import ALT, check_explorers, notebook, ready
from tests.chromium import ROOT, Lab, run_all, screenshot

pytestmark = chromium.marks


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
