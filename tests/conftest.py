"""Shared by all tests: where the checkout is, and no test writes into it or into the user's home."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import chromium

ROOT = Path(__file__).resolve().parents[1]
pytest.register_assert_rewrite("tests.browser.explorers")  # its asserts say both sides, as those in tests do

# Matplotlib must not look for a display, and Jupyter must not read the settings in the user's home.
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="module")
def browser() -> Iterator:
    """A running Chromium."""
    pytest.importorskip("playwright.sync_api")
    with chromium.launched() as running:
        yield running


@pytest.fixture
def context(browser) -> Iterator:
    """A context of the browser that lets nothing leave the machine, and remembers what wanted to."""
    with chromium.watched(browser) as found:
        yield found


@pytest.fixture
def page(context):
    """A page in it."""
    return context.new_page()


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[chromium.Lab]:
    """A running JupyterLab with nothing of the user's."""
    with chromium.jupyterlab(tmp_path_factory.mktemp("lab")) as running:
        yield running
