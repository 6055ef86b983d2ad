"""The suite with the newest releases that can be had, or with the oldest that pyproject.toml allows.

    python -m tests.releases newest          (make test-newest)
    python -m tests.releases oldest          (make test-oldest)
    python -m tests.releases newest --quick  fast tests and all solution notebooks, without the bank and the browser

Each makes a virtual environment in a folder of its own, which is removed at the end, and says which versions were met.
torch stays the one of constraints.txt: other builds are several GB. `newest` leaves all else to pip; `oldest` holds
each direct dependency at its lower bound, so these bounds are the ones that were tested.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

from tformer_course.environment import Environment
from tformer_course.launch import NBVAL, all_stages, quick_stages, run_stages

ROOT = Path(__file__).resolve().parents[1]
SHOWN = ("torch", "transformers", "jupyterlab", "nbgrader", "matplotlib", "numpy", "ipywidgets", "nbval", "pytest")


def pinned_torch() -> str:
    """The line of constraints.txt that names torch."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith("torch=="))


def lower_bounds() -> list[str]:
    """Each direct dependency at its lower bound, torch apart."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["dev"], *extras["onnx"], *extras["lora"]]
    found = [(r.name, s.version) for r in map(Requirement, wanted) for s in r.specifier if s.operator == ">="]
    return [f"{name}=={version}" for name, version in found if name != "torch"]


def stages(python: Path, quick: bool) -> list[tuple[str, list[str]]]:
    """All stages, or those that take minutes."""
    if not quick:
        return all_stages(python)
    own = [stage for stage in quick_stages(python) if stage[0] in {"release diff", "fast tests"}]
    return [*own, ("notebooks", [str(python), "-m", "pytest", "-q", *NBVAL])]


def main() -> int:
    """Returns the status of the first stage that fails."""
    parser = argparse.ArgumentParser()
    parser.add_argument("which", choices=["newest", "oldest"])
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix=f"tformer-{options.which}-") as work:
        held = Path(work) / "held.txt"
        held.write_text("\n".join([pinned_torch(), *(lower_bounds() if options.which == "oldest" else [])]) + "\n")
        environment = Environment(ROOT, Path(work) / "venv")
        environment.create()
        environment.pip("-e", ".[dev]", constraints=held)
        environment.install_models(must=True)
        ask = f"from importlib.metadata import version as v; print(', '.join(f'{{n}} {{v(n)}}' for n in {SHOWN!r}))"
        subprocess.call([str(environment.python), "-c", ask])
        variables = environment.variables() | {"TFORMER_RELEASES": options.which}
        return run_stages(stages(environment.python, options.quick), variables)


if __name__ == "__main__":
    sys.exit(main())
