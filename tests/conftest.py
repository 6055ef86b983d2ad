"""Shared by all tests: where the checkout is, and no test writes into it or into the user's home."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Matplotlib must not look for a display, and Jupyter must not read the settings in the user's home.
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT
