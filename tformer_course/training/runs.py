"""Results of experiments that take long: a JSON file with a line for each run, and no run is made twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Runs:
    """The results of one experiment; `name in runs` says whether a run is there.

    Args:
        path: The file; the first result makes it.
        setup: What all runs share; written beside them.
        by_name: Whether runs are sorted by name, so that the file does not tell which of several processes ended first.
    """

    def __init__(self, path: Path, setup: dict[str, Any], by_name: bool = False) -> None:
        self.path, self.setup, self.by_name = path, setup, by_name

    def _read(self) -> dict[str, Any]:
        return json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {"runs": {}}

    def __contains__(self, name: str) -> bool:
        return name in self._read()["runs"]

    def keep(self, name: str, found: dict[str, Any], part: str = "runs") -> None:
        """Adds a result to the file as it is now, so that processes with different seeds may share it.

        Args:
            name: Of the run.
            found: What was measured; numbers, texts, lists and dicts of them.
            part: The table it belongs to, where there is another one beside that of the runs.
        """
        results = self._read()
        results["setup"] = self.setup
        results.setdefault(part, {})[name] = found
        if self.by_name:
            results[part] = dict(sorted(results[part].items()))
        text = json.dumps(results, indent=0).replace(",\n", ", ").replace('}, "', '},\n"')
        self.path.write_text(text + "\n", encoding="utf-8")
