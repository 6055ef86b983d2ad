"""Compare the attention explorer with BertViz in one run: HTML bytes, Python seconds, browser seconds and nodes.

    python -m tests.bench.viz            # writes docs/bench_viz.md; a number sets how often each page is opened

Needs Chromium, npm, and the usual package indexes for BertViz and the three libraries that its pages ask a CDN for
(require.js, d3, jQuery). They are installed into a temporary folder and served from there, so BertViz is not charged
for a network.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import platform
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import torch

from tests import chromium

ROOT = Path(__file__).resolve().parents[2]
BERTVIZ = "bertviz==1.4.1"
LIBRARIES = {  # what BertViz 1.4.1 names → npm package and the file in it
    "require.min.js": ("requirejs@2.3.6", "package/require.js"),
    "d3.min.js": ("d3@5.7.0", "package/dist/d3.min.js"),
    "jquery.min.js": ("jquery@2.2.4", "package/dist/jquery.min.js"),
}
# Waits until the page is drawn and has as many elements as at the last look; gives their number and when that was.
REST = """async () => {
    const inside = (tree) =>
        [...tree.querySelectorAll('*')].reduce((sum, e) => sum + 1 + (e.shadowRoot ? inside(e.shadowRoot) : 0), 0);
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    let [nodes, drawn] = [-1, 0];
    for (;;) {
        await frame();
        const time = performance.now();
        const now = inside(document);
        if (now === nodes) return [now, drawn / 1000];
        [nodes, drawn] = [now, time];
        await new Promise((done) => setTimeout(done, 200));
    }
}"""
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 3
TOKENS = 64


def fetch(folder: Path) -> dict[str, bytes]:
    """Install BertViz into the folder and return the JavaScript libraries that its pages load, by file name."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(folder / "python"), BERTVIZ], check=True)
    sys.path.insert(0, str(folder / "python"))
    scripts = {}
    for name, (package, member) in LIBRARIES.items():
        packed = subprocess.run(
            ["npm", "pack", "--silent", package], cwd=folder, check=True, capture_output=True, text=True
        )
        with tarfile.open(folder / packed.stdout.split()[-1]) as archive:
            scripts[name] = archive.extractfile(member).read()
    return scripts


def attention(num_layers: int, num_heads: int) -> list[torch.Tensor]:
    """Random weights, one `(1, H, 64, 64)` per layer: what compresses worst."""
    generator = torch.Generator().manual_seed(0)
    return [
        torch.softmax(2 * torch.randn(1, num_heads, TOKENS, TOKENS, generator=generator), -1) for _ in range(num_layers)
    ]


def tools() -> dict[str, Callable[[list[torch.Tensor], list[str]], str]]:
    """Name → function that returns the HTML for a notebook's output."""
    from bertviz import head_view, model_view

    from tformer_course.viz.explorer import explorer_html

    return {
        "explore_attention": lambda weights, tokens: explorer_html(weights, tokens, alt="random weights"),
        "BertViz head_view": lambda weights, tokens: head_view(weights, tokens, html_action="return").data,
        "BertViz model_view": lambda weights, tokens: model_view(weights, tokens, html_action="return").data,
    }


def processor_seconds() -> float:
    """What all processes of the browser have used so far: other work on the machine hardly changes it."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "chrom" in process.name():
                total += sum(process.cpu_times()[:2])
    return total


def open_page(browser, html: str, scripts: dict[str, bytes], folder: Path) -> tuple[float, float, int]:
    """Open the HTML; seconds until it is drawn and its node count rests, processor seconds, and that count."""
    (folder / "page.html").write_text(f"<!doctype html><meta charset=utf-8><body>{html}", encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(1_800_000)
    page = context.new_page()

    def serve(route) -> None:
        name = route.request.url.rsplit("/", 1)[1]
        if route.request.url.startswith("file:"):
            route.continue_()
        elif name in scripts:
            route.fulfill(body=scripts[name], content_type="text/javascript")
        else:
            raise RuntimeError(f"the page asks for {route.request.url}")

    context.route("**/*", serve)
    before = processor_seconds()
    page.goto((folder / "page.html").as_uri())
    page.wait_for_function("document.querySelector('svg *, .tformer-explorer[data-ready]')")
    count, seconds = page.evaluate(REST)
    used = processor_seconds() - before
    context.close()
    return seconds, used, count


def main() -> None:
    tokens = [f"token{index}" for index in range(TOKENS)]
    rows = []
    with tempfile.TemporaryDirectory() as temporary, chromium.launched() as browser:
        folder = Path(temporary)
        scripts = fetch(folder)
        version = browser.version
        for num_layers, num_heads in ((6, 12), (12, 12)):
            weights = attention(num_layers, num_heads)
            for name, make in tools().items():
                make(weights[:1], tokens)  # imports and caches
                python, ready, used, nodes, html = [], [], [], 0, ""
                for _ in range(REPEATS):
                    start = time.perf_counter()
                    html = make(weights, tokens)
                    python.append(time.perf_counter() - start)
                    seconds, processor, nodes = open_page(browser, html, scripts, folder)
                    ready.append(seconds)
                    used.append(processor)
                row = (f"{num_layers}×{num_heads}", name, len(html.encode()) / 1e6, python, ready, used, nodes)
                rows.append(row)
                print(*row, flush=True)
                write(rows, version)


def write(rows: list[tuple], version: str) -> None:
    """Write the table with its date, command and machine."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    lines = [
        "# The explorer and BertViz, measured",
        "",
        f"{datetime.date.today()}, `make bench-viz` (`python -m tests.bench.viz`): {TOKENS} tokens, random weights",
        f"(they compress worst), {BERTVIZ.replace('==', ' ')}, Chromium {version} without a graphics card, Python",
        f"{platform.python_version()}, {os.cpu_count()} processors shared with other work (load at the end {load});",
        f"median (minimum to maximum) of {REPEATS} run(s). BertViz's libraries came from the local disk. A page is",
        "ready when it is drawn and its number of nodes rests. Times depend on the machine and on",
        "what else it does (processor seconds less so), bytes and nodes do not.",
        "",
        "| layers × heads | tool | HTML, MB | Python, s | ready in the browser, s | its processor seconds | nodes |",
        "|-|-|-:|-:|-:|-:|-:|",
    ]
    for shape, name, size, python, ready, used, nodes in rows:
        spread = [f"{statistics.median(x):.2f} ({min(x):.2f}–{max(x):.2f})" for x in (python, ready, used)]
        lines.append(f"| {shape} | {name} | {size:.2f} | {spread[0]} | {spread[1]} | {spread[2]} | {nodes:,} |")
    (ROOT / "docs" / "bench_viz.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
