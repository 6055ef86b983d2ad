"""Every student notebook in a real JupyterLab, untouched, as a student first meets it, with the network off."""

from __future__ import annotations

import shutil

import nbformat
import pytest

from tests import chromium
from tests.chromium import ROOT, run_all, screenshot

pytestmark = chromium.marks
SMOKE = "03_positions"  # this one in `test`, all of them in `make proof`
NOTEBOOKS = [
    path if path.parent.name == SMOKE else pytest.param(path, marks=pytest.mark.proof)
    for path in sorted((ROOT / "notebooks").glob("*/*.ipynb"))
]
SECONDS = 600  # a bound against hanging: how long notebooks take is measured elsewhere
# Pictures without words for those who do not see them; drawings of our explorer are inside its labelled box.
WORDLESS = """() => [...document.querySelectorAll('.jp-Notebook img, .jp-Notebook svg')]
    .filter(it => it.closest('.jp-Cell-inputWrapper, .jp-Cell-outputWrapper') && !it.closest('.jp-icon3, button'))
    .filter(it => it.tagName === 'IMG' ? !it.alt.trim() : it.closest('.jp-OutputArea-output, .jp-MarkdownOutput')
        && !it.closest('[aria-label], [aria-hidden=true]') && !it.querySelector('title'))
    .map(it => it.outerHTML.slice(0, 200))"""
BROKEN = """() => [...document.querySelectorAll('.jp-Notebook img')]
    .filter(it => !it.complete || it.naturalWidth === 0).map(it => it.alt || it.outerHTML.slice(0, 200))"""


@pytest.mark.timeout(2 * SECONDS + 300)
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.parent.name)
def test_untouched_notebook_runs_and_validates(context, page, lab, path, record_property):
    notebook = nbformat.read(path, as_version=4)
    graded = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    shutil.copy(path, lab.folder)
    page.goto(f"{lab.address}/lab/tree/{path.name}?reset")
    page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for()

    # "Run All" ends: every cell has run and none has failed.
    seconds = run_all(page, SECONDS)
    record_property("run all, seconds", round(seconds, 1))
    page.keyboard.press("Control+s")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    ran = nbformat.read(lab.folder / path.name, as_version=4)
    outputs = [(cell.id, output) for cell in ran.cells for output in cell.get("outputs", [])]
    assert [(name, output.ename, output.evalue) for name, output in outputs if output.output_type == "error"] == []
    assert [(name, output.text) for name, output in outputs if output.get("name") == "stderr"] == []
    assert [cell.id for cell in ran.cells if cell.cell_type == "code" and cell.execution_count is None] == []

    # What is shown can be read and heard.
    page.wait_for_timeout(1000)  # for pictures that have come last
    assert page.evaluate("document.querySelectorAll('.jp-Notebook .jp-Cell').length") == len(ran.cells)
    assert page.evaluate("document.querySelectorAll('.jp-Notebook img').length") > 0
    assert page.evaluate(WORDLESS) == []
    assert page.evaluate(BROKEN) == []
    page.evaluate("document.querySelector('.jp-NotebookPanel .jp-WindowedPanel-outer').scrollTop = 2000")
    screenshot(page, f"notebook_{path.parent.name}")

    # Validate says of every test cell, and of the written answer, that it is not done yet.
    page.get_by_role("button", name="Validate", exact=True).click(force=True)  # older Labs lay a label over it
    dialog = page.locator("#validation-message")
    dialog.wait_for(timeout=1000 * SECONDS)
    said = dialog.inner_text()
    screenshot(page, f"validate_{path.parent.name}")
    assert "error running the validate command" not in said
    assert said.count("The following cell failed:") == len(graded) > 0
    assert said.count("not done yet") >= len([cell for cell in graded if cell.cell_type == "code"])
    assert "You did not provide a response." in said

    assert context.outside == []
    assert context.errors == []
    assert context.console == []
