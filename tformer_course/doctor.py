"""`tformer doctor`: what is missing or off on this machine, each with its fix.

It must run where nearly nothing is installed, so all but the standard library is imported inside functions.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tformer_course.offline_models import ModelStatus

ROOT = Path(__file__).resolve().parents[1]
INSTALL = "python3 course.py setup   (conda: pip install -c constraints.txt -e .)"
NEEDED_GB = 2


@dataclass(frozen=True)
class Check:
    """One line of the table. `needed` says whether a student can't work without it."""

    name: str
    state: str  # ok, off or missing
    found: str
    fix: str = ""
    needed: bool = True


def main() -> int:
    """Print the table; the status is 0 when a student can work."""
    checks = examine()
    print(table(checks))
    broken = [check for check in checks if check.needed and check.state != "ok"]
    if broken:
        print(f"\n{len(broken)} to put right before you start: {', '.join(check.name for check in broken)}.")
        return 1
    print(
        "\nYou can work."
        + (" What is marked (optional) is for instructors and authors." if any_optional(checks) else "")
    )
    return 0


def examine() -> list[Check]:
    """All checks, in the order of the table."""
    found = packages()
    if (found[0].name, found[0].state) == ("packages", "missing"):
        return [python_version(), *found, disk(), write_access()]  # all else comes with the installation
    checks = [python_version(), *found, nbgrader_extensions(), alembic_on_path(), *models()]
    return [*checks, bubblewrap(), chromium(), disk(), write_access()]


def any_optional(checks: list[Check]) -> bool:
    """Whether something optional is not in order."""
    return any(check.state != "ok" for check in checks)


def table(checks: list[Check]) -> str:
    """The checks as aligned text; a fix stands under its line."""
    width = max(len(check.name) for check in checks)
    lines = []
    for check in checks:
        optional = "" if check.needed or check.state == "ok" else "  (optional)"
        lines.append(f"{check.state:<8}{check.name:<{width + 2}}{check.found}{optional}")
        if check.state != "ok" and check.fix:
            lines.append(f"{'':<8}{'':<{width + 2}}→ {check.fix}")
    return "\n".join(lines)


def python_version(version: tuple[int, int] = sys.version_info[:2]) -> Check:
    """Python 3.11 to 3.13."""
    found = "{}.{} ({})".format(*version, sys.executable)
    if (3, 11) <= version <= (3, 13):
        return Check("Python", "ok", found)
    return Check("Python", "off", found, "install Python 3.11, 3.12 or 3.13 and run: python3.12 course.py setup")


def packages() -> list[Check]:
    """The pins of constraints.txt against what is installed, and the packages that the course needs but lacks."""
    try:
        from packaging.requirements import Requirement  # noqa: F401
    except ImportError:
        return [Check("packages", "missing", "not installed in this Python", INSTALL)]
    missing = missing_packages("tformer-course")
    if {"tformer-course", "jupyterlab"} & set(missing):  # what else is in this Python belongs to somebody else
        return [Check("packages", "missing", "not installed in this Python", INSTALL)]
    result = [Check(name, "missing", "not installed", INSTALL) for name in missing]
    file = ROOT / "constraints.txt"
    if not file.exists():
        return [*result, Check("pins", "ok", "no constraints.txt beside the package; versions not compared")]
    off = wrong_versions(file.read_text(encoding="utf-8"))
    for name, have, wanted in off:
        # Another version often works, and an instructor's machine may need one: said, but no reason to stop.
        result.append(
            Check(name, "off", f"{have}, tested with {wanted}", f"pip install {name}=={wanted}", needed=False)
        )
    return result or [Check("packages", "ok", "all there, in the versions of constraints.txt")]


def missing_packages(name: str) -> list[str]:
    """Walk through the requirements of a distribution; return those not installed (without extras)."""
    from packaging.requirements import Requirement

    missing, seen, todo = [], set(), [(name, frozenset())]
    while todo:
        current, extras = todo.pop()
        if (current, extras) in seen:
            continue
        seen.add((current, extras))
        try:
            requires = metadata.requires(current) or []
        except metadata.PackageNotFoundError:
            missing.append(current)
            continue
        for requirement in map(Requirement, requires):
            if wanted(requirement, extras):
                todo.append((requirement.name, frozenset(requirement.extras)))
    return sorted(set(missing))


def wanted(requirement, extras: frozenset[str]) -> bool:
    """Whether a requirement counts on this machine. The CPU build of torch names none of the CUDA packages."""
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in ("", *extras))


def wrong_versions(constraints: str) -> list[tuple[str, str, str]]:
    """(name, installed, pinned) for each installed package with another version than its pin."""
    from packaging.requirements import Requirement

    wrong = []
    for line in constraints.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        requirement = Requirement(line)
        try:
            have = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            continue
        applies = requirement.marker is None or requirement.marker.evaluate()
        # The comparison ignores "+cpu": the same release, built for another processor.
        if applies and not requirement.specifier.contains(have, prereleases=True):
            wrong.append((requirement.name, have, str(requirement.specifier).removeprefix("==")))
    return wrong


def nbgrader_extensions(prefix: Path = Path(sys.prefix)) -> Check:
    """Validate and the assignment list: both halves must be there, the server's and the page's."""
    page = prefix / "share" / "jupyter" / "labextensions" / "@jupyter" / "nbgrader" / "package.json"
    server = prefix / "etc" / "jupyter" / "jupyter_server_config.d" / "nbgrader.json"
    fix = "pip install --force-reinstall --no-deps -c constraints.txt nbgrader"
    if not page.exists() or not server.exists():
        absent = "Lab extension" if not page.exists() else "server extension"
        return Check("nbgrader in Lab", "missing", f"no {absent} under {prefix}", fix)
    try:
        enabled = json.loads(server.read_text(encoding="utf-8"))["ServerApp"]["jpserver_extensions"]
    except (ValueError, KeyError):
        return Check("nbgrader in Lab", "off", f"{server} can't be read", fix)
    if not enabled.get("nbgrader.server_extensions.validate_assignment"):
        fix = "jupyter server extension enable --sys-prefix nbgrader.server_extensions.validate_assignment"
        return Check("nbgrader in Lab", "off", "Validate is disabled", fix)
    return Check("nbgrader in Lab", "ok", "Validate button and assignment list")


def alembic_on_path() -> Check:
    """nbgrader starts `alembic` by name for its gradebook."""
    found = shutil.which("alembic")
    if found:
        return Check("alembic on PATH", "ok", found)
    fix = "activate the environment, or start with `python3 course.py lab`, which does it"
    # Students make no gradebook.
    return Check("alembic on PATH", "missing", "nbgrader can't make a gradebook", fix, needed=False)


def models() -> list[Check]:
    """The two real models, by SHA-256."""
    fix = "tformer models   (needs a network, once)"
    try:
        from tformer_course.offline_models import model_status
    except ImportError as error:
        return [Check("real models", "missing", f"can't look: {error}", INSTALL, needed=False)]
    try:
        status = model_status()
    except Exception as error:  # the table must go on, whatever a damaged file does
        return [Check("real models", "off", f"{type(error).__name__}: {error}", fix, needed=False)]
    # Only cells that show something need them, never a graded one.
    return [Check(f"model {one.name}", *model_state(one), needed=False) for one in status]


def model_state(status: "ModelStatus") -> tuple[str, str, str]:
    """(state, what was found, fix) of one model."""
    if not status.found:
        return "missing", "not installed", status.fix
    return (
        ("ok", "found, SHA-256 right", "") if status.hash_ok else ("off", "the file is not the right one", status.fix)
    )


def bubblewrap() -> Check:
    """Whether a sandbox really starts. Only who grades needs it."""
    name = "sandbox (bwrap)"
    if not sys.platform.startswith("linux"):
        return Check(name, "missing", "Linux only", "students don't need it; grade on Linux or in WSL2", needed=False)
    program = shutil.which("bwrap")
    if not program:
        fix = "sudo apt install bubblewrap   (Fedora: sudo dnf install bubblewrap)"
        return Check(name, "missing", "bubblewrap is not installed; instructors need it to grade", fix, needed=False)
    command = [program, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(name, "off", str(error), "reinstall bubblewrap", needed=False)
    if done.returncode == 0:
        return Check(name, "ok", program)
    fix = (
        "allow user namespaces: on Ubuntu 24.04 and later an AppArmor profile for bwrap is needed; "
        "in a container start it with --security-opt seccomp=unconfined"
    )
    return Check(name, "off", (done.stderr.strip().splitlines() or ["it does not start"])[-1], fix, needed=False)


def chromium() -> Check:
    """A browser for the authors' tests."""
    for program in ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge"):
        if shutil.which(program):
            return Check("Chromium", "ok", shutil.which(program))
    fix = "sudo apt install chromium   (or: playwright install chromium)"
    return Check("Chromium", "missing", "authors need it for the browser tests", fix, needed=False)


def disk(folder: Path = ROOT, needed_gb: float = NEEDED_GB) -> Check:
    """Free space where the course lies."""
    free = shutil.disk_usage(folder).free / 1e9
    if free >= needed_gb:
        return Check("free disk", "ok", f"{free:.0f} GB")
    return Check("free disk", "off", f"{free:.1f} GB", f"free {needed_gb} GB on the disk of {folder}")


def write_access(folder: Path | None = None) -> Check:
    """Whether notebooks can be saved where the course (or this shell) is."""
    folder = folder or (
        ROOT if importlib.util.find_spec("tformer_course") and (ROOT / "notebooks").exists() else Path.cwd()
    )
    probe = folder / f".tformer-doctor-{os.getpid()}"
    try:
        probe.write_text("x")
        probe.unlink()
    except OSError as error:
        return Check("write access", "off", f"{folder}: {error.strerror}", "copy the course to a folder of your own")
    return Check("write access", "ok", str(folder))
