"""`tformer lecture`: JupyterLab on a copy of a kit's demo, and the speaker's page beside it.

Everything that Lab could remember goes into a folder that is deleted at the end: settings, workspaces, configuration,
trust, the notebook itself. So nothing of the lecturer's own Lab changes, also when the tab is closed in mid-talk.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.sign import NotebookNotary

from tformer_course.launch import LAB_OPTIONS, has_browser
from tformer_course.lectures.kit import BOARD, Kit, slide_type, with_headings
from tformer_course.lectures.speaker import speaker_page

HERE = Path(__file__).parent
START_SECONDS = 120
SETTINGS = {
    "@jupyterlab/apputils-extension/themes": {"theme": "JupyterLab Light", "theme-scrollbars": False},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    # All cells are in the page, so that the speaker's page can show those of one slide.
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none", "codeCellConfig": {"lineWrap": True}},
}


@dataclass(frozen=True)
class Stage:
    """A running stage."""

    address: str  # of the server, such as http://127.0.0.1:40123
    token: str
    folder: Path
    process: subprocess.Popen

    @property
    def speaker(self) -> str:
        """The speaker's page; the token is behind the #, which no server sees or logs."""
        return f"{self.address}/static/speaker.html#{self.token}"


def prepare(kit: Kit, folder: Path) -> dict[str, str]:
    """Fill the throw-away folder; returns the environment variables that keep Lab inside it."""
    work, static = folder / "work", folder / "static"
    shutil.copytree(kit.folder, work)
    (work / "kit.md").unlink()
    static.mkdir()
    demo = stage_notebook(kit)
    nbformat.write(demo, work / "demo.ipynb")
    variables = {
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTERLAB_SETTINGS_DIR": folder / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
        "IPYTHONDIR": folder / "ipython",
    }
    for name, content in SETTINGS.items():
        path = folder / "settings" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    (folder / "config" / "custom").mkdir(parents=True)
    shutil.copy(HERE / "stage.css", folder / "config" / "custom" / "custom.css")
    startup = folder / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    # A fresh kernel has done the imports before the first cell is run, also after a restart.
    (startup / "00-imports.py").write_text(kit.setup_source(), encoding="utf-8")
    (folder / "data").mkdir()
    NotebookNotary(data_dir=str(folder / "data")).sign(demo)
    (static / "speaker.html").write_text(speaker_page(kit, demo), encoding="utf-8")
    return {**os.environ, **{name: str(path) for name, path in variables.items()}}


def stage_notebook(kit: Kit) -> NotebookNode:
    """The demo as the class sees it: without notes, with outputs still to come, and boards that grow slide by slide.

    Each cell carries in its metadata the number of the slide in the kit whose notes belong to it.
    """
    cells, number = [], -1
    for cell in with_headings(kit.demo).cells:
        if slide_type(cell) in ("notes", "skip"):
            continue
        number += slide_type(cell) in ("slide", "subslide")
        cell.metadata["notes_of"] = number
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            cells.append(cell)
            continue
        found = BOARD.search(cell.source)
        for stage in ("blank", "half", "full") if found else ("full",):
            grown = nbformat.from_dict(json.loads(json.dumps(cell)))
            grown.source = (
                cell.source.replace(f"{found['stem']}_full", f"{found['stem']}_{stage}") if found else cell.source
            )
            grown.id = cell.id if stage == "full" else f"{cell.id}-{stage}"
            cells.append(grown)
    return nbformat.v4.new_notebook(cells=cells, metadata=kit.demo.metadata)


@contextmanager
def stage(kit: Kit, port: int = 0) -> Iterator[Stage]:
    """Start Lab for a kit, wait until it answers, and leave nothing behind at the end."""
    folder = Path(tempfile.mkdtemp(prefix=f"tformer-lecture-{kit.name}-"))
    try:
        variables = prepare(kit, folder)
        port, token = port or free_port(), secrets.token_hex(16)
        # Other programs of the user may read a command line, so the token is not in it.
        variables["JUPYTER_TOKEN"] = token
        options = [
            *LAB_OPTIONS,
            "--no-browser",
            "--LabApp.custom_css=True",
            "--LabApp.expose_app_in_browser=True",
            f"--ServerApp.extra_static_paths={folder / 'static'}",
            f"--ServerApp.root_dir={folder / 'work'}",
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            "--ServerApp.port_retries=0",
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--allow-root")
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", *options], env=variables, stdout=log, stderr=log, cwd=folder
            )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address, process, folder / "log")
            yield Stage(address, token, folder, process)
        finally:
            stop(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(address: str, process: subprocess.Popen, log: Path) -> None:
    """Return when the server answers.

    Raises:
        RuntimeError: it ended, or says nothing for two minutes; with the end of its log.
    """
    limit = time.monotonic() + START_SECONDS
    while time.monotonic() < limit and process.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/static/speaker.html", timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-1500:]}")


def stop(process: subprocess.Popen) -> None:
    """End the server, and with it its kernels."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def run(kit: Kit, *, port: int = 0, browser: bool = True) -> int:
    """The command: start, show, wait for Ctrl-C."""
    print(f"{kit.title}: {kit.total_minutes} minutes. Starting JupyterLab …", flush=True)
    # Also a terminal that is closed, or a kill, must end the server and delete its folder.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) != signal.SIG_IGN:  # nohup ignores one
            signal.signal(getattr(signal, name), signal.default_int_handler)
    try:
        with stage(kit, port) as running:
            print(f"Speaker's page: {running.speaker}")
            print("It opens the stage in a second window, for the projector. Ctrl-C here ends both.", flush=True)
            if browser and has_browser():
                webbrowser.open(running.speaker)
            running.process.wait()
            print("JupyterLab has ended.", file=sys.stderr)
            return 1
    except KeyboardInterrupt:
        print("\nEnded; your own JupyterLab is as it was.")
        return 0
    except (RuntimeError, urllib.error.URLError) as error:
        print(f"tformer lecture: {error}", file=sys.stderr)
        return 1
