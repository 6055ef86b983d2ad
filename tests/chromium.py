"""A real browser and a JupyterLab of its own: what the tests in tests/browser and tests/lectures share.

Chromium is that of the system (Debian's package), driven by Playwright; nothing is downloaded. A test module asks for
it with `pytestmark = chromium.marks`, and skips where there is none.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[1]
EXECUTABLE = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
]
PATIENCE = 120_000  # milliseconds: a busy machine takes its time to start JupyterLab
marks = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(EXECUTABLE is None, reason="needs Chromium on the path"),
]


@contextmanager
def launched() -> Iterator[Any]:
    """The browser, running."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=EXECUTABLE, args=FLAGS)
        yield running
        running.close()


@contextmanager
def watched(browser: Any, width: int = 1280, height: int = 900) -> Iterator[Any]:
    """A browser context that lets nothing leave the machine.

    It remembers requests to other machines in `outside`, exceptions of pages in `errors`, and what pages write to the
    console as an error in `console`.
    """
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    context.outside, context.errors, context.console = [], [], []

    def judge(route: Any) -> None:
        url = urlsplit(route.request.url)
        if url.scheme in {"data", "blob", "file"} or url.hostname in {"127.0.0.1", "localhost"}:
            route.continue_()
        else:
            context.outside.append(route.request.url)
            route.abort()

    context.route("**/*", judge)
    context.on("weberror", lambda error: context.errors.append(str(error.error)))
    context.on("console", lambda said: context.console.append(said.text) if said.type == "error" else None)
    yield context
    context.close()


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab."""

    address: str
    folder: Path  # its root, for notebooks
    environment: dict[str, str]


@contextmanager
def jupyterlab(home: Path) -> Iterator[Lab]:
    """Start JupyterLab with nothing of the user's: all that it reads and remembers is in `home`."""
    from tformer_course.environment import Environment
    from tformer_course.launch import LAB_OPTIONS

    students = Environment(ROOT, home / "prefix")
    students.write_jupyter_settings(instructor=False)

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_CONFIG_PATH": str(students.folder / "etc" / "jupyter"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    settings = {
        "themes": {"theme": os.environ.get("TFORMER_TEST_THEME", "JupyterLab Light")},
        "notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    for name, content in settings.items():
        path = home / "settings" / "@jupyterlab" / "apputils-extension" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    work = home / "work"
    work.mkdir()
    options = [*LAB_OPTIONS, "--LabApp.expose_app_in_browser=True", "--no-browser", "--allow-root", f"--port={port}"]
    options.append(f"--ServerApp.root_dir={work}")
    command = [sys.executable, "-m", "jupyterlab", *options, "--IdentityProvider.token=", "--ServerApp.password="]
    with (home / "log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log, cwd=work)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{address}/api/status", timeout=2).close()
                break
            except OSError:
                assert server.poll() is None, (home / "log").read_text()
                time.sleep(0.5)
        yield Lab(address, work, environment)
    finally:
        server.terminate()
        server.wait(30)


def screenshot(page: Any, name: str) -> bytes:
    """The picture of a page, kept where TFORMER_SCREENSHOTS names a folder."""
    folder = os.environ.get("TFORMER_SCREENSHOTS")
    return page.screenshot(path=Path(folder) / f"{name}.png" if folder else None)


def axe_findings(page: Any) -> list[str]:
    """What axe-core has against a page: WCAG 2.2 A and AA with contrast, and good practice; one line per element."""
    from axe_playwright_python.sync_playwright import Axe

    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = (
        Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}, "resultTypes": ["violations"]}).response
    )
    assert found["passes"], "axe-core has looked at nothing"
    return [
        f"{rule['id']} ({rule['impact']}): {node['target']} {node['html'][:160]} {node['failureSummary'][:300]}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


ENDED = """() => {
  const { content, sessionContext } = window.jupyterapp.shell.currentWidget;
  const waits = (cell) => cell.model.type === 'code' && cell.model.executionState === 'running';
  return sessionContext.session.kernel.status === 'idle' && !content.widgets.some(waits);
}"""


def run_all(page: Any, seconds: float) -> float:
    """Run > Run All Cells in the notebook that a page of JupyterLab shows; returns at its end, with its seconds.

    A cell that fails ends it as well: the cells behind it are then not run.
    """
    page.get_by_text("| Idle").first.wait_for()
    prompt = page.locator(".jp-NotebookPanel .jp-CodeCell .jp-InputPrompt").first
    for _ in range(10):  # a call that comes before the kernel is connected is lost
        began = time.monotonic()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        page.wait_for_timeout(2000)
        if "[ ]" not in prompt.inner_text():
            break
    page.wait_for_function(ENDED, timeout=1000 * seconds, polling=300)
    return time.monotonic() - began
