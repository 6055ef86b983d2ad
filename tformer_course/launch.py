"""What `course.py` does: lab, test, check and the authors' commands. Standard library only.

It runs before anything is installed. The environment itself is the matter of tformer_course/environment.py.
"""

import argparse
import os
import subprocess
import sys
import time
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

from tformer_course.environment import Environment, SetupError, here
from tformer_course.pip_failures import explain

ROOT = Path(__file__).resolve().parents[1]
FIRST_NOTEBOOK = "notebooks/01_attention/attention.ipynb"

# Students install nothing from inside Lab: its extension list would ask a server outside.
LAB_OPTIONS = (
    "--LabApp.extension_manager=readonly",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--ServerApp.log_level=WARN",
)


def main(argv: list[str]) -> int:
    """Run one command of course.py; returns its exit status."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace", line_buffering=True)
    arguments = parser().parse_args(argv)
    os.chdir(ROOT)
    environment = here(ROOT) if arguments.here else Environment(ROOT, ROOT / ".venv")
    try:
        return COMMANDS[arguments.command](environment, arguments)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except OSError as error:  # a full disk or a read-only folder
        print(f"\n{explain(str(error), environment.folder)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Call it again whenever you like: it goes on where it can.", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = argparse.ArgumentParser(prog="course.py", description="The course on Transformers.")
    top.add_argument("--here", action="store_true", help="use the Python that runs this (conda), make no .venv")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    lab = commands.add_parser("lab", help="install what is missing, then open JupyterLab on the first notebook")
    lab.add_argument("--instructor", action="store_true", help="show nbgrader's panels for instructors")
    lab.add_argument("--no-browser", action="store_true", help="print the address and open no browser")
    setup = commands.add_parser("setup", help="install only")
    setup.add_argument("--fresh", action="store_true", help="delete .venv first")
    for command in (lab, setup):
        command.add_argument("--cpu", action="store_true", help="Linux without a GPU: the small build of torch")
    for name, text in (
        ("doctor", "say what is missing or off, with the fix"),
        ("check", "the quick part of the tests, for use while working"),
        ("test", "everything that CI runs"),
        ("notebooks", "make notebooks/ from solutions/ (authors)"),
        ("bank", "grade the answer bank and print the table (authors)"),
        ("bundle", "write what students get to dist/ (instructors)"),
        ("proof", "the tests that take long: attacks, interrupted runs (authors)"),
        ("test-newest", "everything, with the newest releases that pip finds (authors)"),
        ("test-oldest", "everything, with the oldest releases that pyproject.toml allows (authors)"),
        ("bench-grading", "measure grading against plain nbgrader; half an hour (authors)"),
        ("bench-models", "tokens/s of models/llama.py beside transformers' own; two minutes (authors)"),
        ("bench-notebooks", "time and memory of every notebook; a quarter of an hour (authors)"),
        ("bench-viz", "compare the explorer with BertViz; needs npm and Chromium (authors)"),
    ):
        commands.add_parser(name, help=text)
    return top


def lab(environment: Environment, arguments: argparse.Namespace) -> int:
    """Prepare the environment and become JupyterLab."""
    environment.prepare(cpu=arguments.cpu)
    environment.install_models()
    environment.write_jupyter_settings(instructor=arguments.instructor)
    command = [environment.python, "-m", "jupyterlab", *LAB_OPTIONS]
    if (ROOT / FIRST_NOTEBOOK).exists():
        # The address that is printed and opened; a file name as argument is not part of the printed one.
        command.append(f"--LabApp.default_url=/lab/tree/{FIRST_NOTEBOOK}")
    if arguments.no_browser or not has_browser():
        command.append("--no-browser")
        print("Open the address below in a browser (copy it whole, with the token).")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # a container: Jupyter would refuse to start
    print("Starting JupyterLab. Stop it with Ctrl-C.")
    variables = environment.variables()
    if os.name == "posix":
        # One process, so that Ctrl-C and a kill reach Lab itself.
        os.execve(command[0], [str(part) for part in command], variables)
    try:
        return subprocess.call([str(part) for part in command], env=variables)
    except KeyboardInterrupt:
        return 0


def has_browser() -> bool:
    """Whether a browser with a window can be opened here (a text browser in the terminal is none)."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def setup(environment: Environment, arguments: argparse.Namespace) -> int:
    """Install, without opening anything."""
    if arguments.fresh:
        environment.delete()
    environment.prepare(cpu=arguments.cpu)
    environment.install_models()
    environment.write_jupyter_settings(instructor=False)
    print("Ready: python3 course.py lab")
    return 0


def doctor(environment: Environment, arguments: argparse.Namespace) -> int:
    """Run `tformer doctor` with the environment's Python, or with this one while there is no environment."""
    python = environment.python if environment.is_ready() else sys.executable
    return subprocess.call([str(python), "-m", "tformer_course.cli", "doctor"], env=environment.variables())


def quick_stages(python: Path) -> list[tuple[str, list[str]]]:
    """The stages of `check`: (name, command). Together under a minute."""
    run = [str(python), "-m"]
    return [
        ("ruff check", [*run, "ruff", "check", "--quiet", "."]),
        ("ruff format", [*run, "ruff", "format", "--check", "--quiet", "."]),
        ("codespell", [*run, "codespell_lib"]),
        ("release diff", [*run, "tformer_course.cli", "release", "--check"]),
        ("fast tests", [*run, "pytest", "-q", "-n", "auto", "-m", "not slow and not browser", "tests/package"]),
    ]


NBVAL = ["--nbval-lax", "--nbval-current-env", "--nbval-cell-timeout=300", "solutions"]


def all_stages(python: Path) -> list[tuple[str, list[str]]]:
    """The stages of `test`. The last two are the whole suite; the fast tests are part of it.

    The answers of the bank are graded on all cores (each is a world of its own), all else in turn. nbval runs each
    solution notebook once, cell by cell, and compares the outputs of tagged cells.
    """
    run = [str(python), "-m", "pytest", "--durations=10"]
    others = [*run, "tests", "--ignore=tests/answers"]
    if any(ROOT.glob("solutions/*/*.ipynb")):
        others += NBVAL
    quick = [stage for stage in quick_stages(python) if stage[0] != "fast tests"]
    return [*quick, ("answer bank", [*run, "-q", "-n", "auto", "tests/answers"]), ("all other tests", others)]


def run_stage(stage: tuple[str, list[str]], variables: dict[str, str]) -> int:
    """Run one stage, print a line with its seconds and, where it is quiet, what it says of a failure.

    Where pytest itself uses all cores (`-n`), each of its processes computes with one thread: more would only wait.
    """
    (name, command), start = stage, time.monotonic()
    # pytest is long and is watched; the others speak only when something is wrong.
    loud = "pytest" in command
    given = variables | ({"OMP_NUM_THREADS": "1"} if "-n" in command else {})
    done = subprocess.run(command, env=given, text=True, errors="replace", capture_output=not loud)
    if done.returncode and not loud:
        print((done.stdout + done.stderr).rstrip())
    print(f"[{'FAILED' if done.returncode else 'ok'}] {name}: {time.monotonic() - start:.1f} s", flush=True)
    # Windows and signals give odd numbers; 1 is a failure everywhere.
    return done.returncode if 0 <= done.returncode < 128 else 1


def run_stages(stages: list[tuple[str, list[str]]], variables: dict[str, str], together: bool = False) -> int:
    """Run stages in turn up to the first failure, or all at once; returns the status of the first failure."""
    began = time.monotonic()
    if together:
        with ThreadPoolExecutor(len(stages)) as pool:
            ended = list(pool.map(run_stage, stages, repeat(variables)))
    else:
        ended = []
        while len(ended) < len(stages) and not any(ended):
            ended.append(run_stage(stages[len(ended)], variables))
    if any(ended):
        return next(filter(None, ended))
    print(f"All {len(stages)} stages passed in {time.monotonic() - began:.0f} s.")
    return 0


def check(environment: Environment, arguments: argparse.Namespace) -> int:
    """The quick stages, all at once: the release diff uses one core for most of its time."""
    environment.prepare(extra="dev")
    return run_stages(quick_stages(environment.python), environment.variables(), together=True)


def test(environment: Environment, arguments: argparse.Namespace) -> int:
    """All stages, with the real models in place."""
    environment.prepare(extra="dev")
    environment.install_models(must=True)
    environment.write_jupyter_settings(instructor=False)
    return run_stages(all_stages(environment.python), environment.variables())


def author(*command: str, models: bool = False):
    """Make a command that runs a module in the environment with the `dev` extra, and with the real models in place."""

    def run(environment: Environment, arguments: argparse.Namespace) -> int:
        environment.prepare(extra="dev")
        if models:
            environment.install_models(must=True)
        return subprocess.call([str(environment.python), *command], env=environment.variables())

    return run


COMMANDS = {
    "lab": lab,
    "setup": setup,
    "doctor": doctor,
    "check": check,
    "test": test,
    "notebooks": author("-m", "tformer_course.cli", "release", "--all"),
    "bank": author("-m", "tests.answers.bank", models=True),
    "bundle": author("-m", "tformer_course.cli", "bundle"),
    "proof": author("-m", "pytest", "-m", "proof or attack", "tests", models=True),
    "test-newest": author("-m", "tests.releases", "newest"),
    "test-oldest": author("-m", "tests.releases", "oldest"),
    "bench-grading": author("-m", "tests.bench.grading", "--save", models=True),
    "bench-models": author("tests/bench/models.py", models=True),
    "bench-notebooks": author("-m", "tests.bench.notebooks", "--save", models=True),
    "bench-viz": author("-m", "tests.bench.viz"),
}
