"""Executions and verdicts that need not be made again, kept as files named by everything they depend on."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from pathlib import Path
from typing import Any


class Cache:
    """A folder of compressed JSON, one file per key; safe with several writers.

    Args:
        folder: Where the files lie; None keeps nothing.
        fresh: Whether earlier files are ignored, for a run that is to execute all anew.
    """

    def __init__(self, folder: Path | None, fresh: bool = False) -> None:
        self.folder, self.fresh = folder, fresh
        self.mine: set[str] = set()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json.gz"

    def get(self, key: str) -> dict[str, Any] | None:
        """What was kept under a key, or None. A damaged file counts as none."""
        if self.folder is None or (self.fresh and key not in self.mine):
            return None
        try:
            return json.loads(gzip.decompress(self._path(key).read_bytes()))
        except (OSError, ValueError, EOFError):
            return None

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Keeps a value; it is whole or not there at all."""
        if self.folder is None:
            return
        self.mine.add(key)
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(gzip.compress(json.dumps(value).encode(), 1))
        os.replace(name, path)
