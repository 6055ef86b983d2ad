"""The folder .venv beside course.py: made, noticed when broken, repaired. Standard library only.

Why not a tool such as uv or tox: a student has Python and nothing else.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tformer_course.pip_failures import explain

# What says that course.py made this .venv, and how far it came.
STAMP = "course-stamp.json"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
INSTRUCTOR_PANELS = ("create-assignment", "formgrader", "course-list")
VALIDATE = {"timeout": 180, "startup_timeout": 120, "interrupt_on_timeout": True, "skip_cells_with_tag": "demo"}
INSTRUCTOR_SERVERS = ("formgrader", "course_list")


class SetupError(RuntimeError):
    """The environment can't be made; the message says why and what to do, in two sentences."""


class Environment:
    """One virtual environment of the course."""

    def __init__(self, root: Path, folder: Path, managed: bool = True) -> None:
        """`managed` is False for an environment that somebody else made, such as conda: nothing is installed there."""
        self.root, self.folder, self.managed = root, folder, managed

    @property
    def bin(self) -> Path:
        """The folder of the environment's programs."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        """The environment's Python."""
        if not self.managed:
            return Path(sys.executable)
        return self.bin / ("python.exe" if os.name == "nt" else "python")

    def variables(self) -> dict[str, str]:
        """Environment variables for programs that run in it, as if it had been activated."""
        variables = dict(os.environ)
        # nbgrader calls `alembic` by name.
        variables["PATH"] = str(self.bin) + os.pathsep + variables.get("PATH", "")
        variables.pop("PYTHONHOME", None)
        # This course's Jupyter settings and kernel go before those in the user's home.
        variables["JUPYTER_PREFER_ENV_PATH"] = "1"
        if self.managed:
            variables["VIRTUAL_ENV"] = str(self.folder)
        return variables

    # --- the stamp ---------------------------------------------------------------------------------------------

    def fingerprint(self) -> str:
        """A hash of all that decides what is installed: a change means to install again."""
        digest = hashlib.sha256(f"{self.root} {sys.version_info[:2]}".encode())
        for name in ("pyproject.toml", "constraints.txt"):
            digest.update((self.root / name).read_bytes())
        return digest.hexdigest()

    def stamp(self) -> dict:
        """What was installed; empty when there is no stamp or it can't be read."""
        try:
            return json.loads((self.folder / STAMP).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}

    def write_stamp(self, **values: object) -> None:
        """Change some values of the stamp. Written aside and renamed, so that a kill leaves no half file."""
        aside = self.folder / (STAMP + ".new")
        aside.write_text(json.dumps({**self.stamp(), **values}), encoding="utf-8")
        aside.replace(self.folder / STAMP)

    def is_ready(self, extra: str = "", cpu: bool = False) -> bool:
        """Whether everything asked for is installed, by the stamp, and the Python in it still runs."""
        if not self.managed:
            return True
        stamp = self.stamp()
        fits = stamp.get("state") == "ready" and stamp.get("fingerprint") == self.fingerprint()
        return fits and (not extra or extra in stamp["extras"]) and (not cpu or stamp["cpu"]) and self.runs()

    def runs(self) -> bool:
        """Whether the environment's Python starts and has its main parts (a removed system Python leaves a ruin)."""
        wanted = "from importlib.metadata import version as v; [v(n) for n in ('pip', 'jupyterlab', 'tformer-course')]"
        return self.call([self.python, "-c", wanted]).returncode == 0

    def mendable(self, stamp: dict) -> bool:
        """Whether pip may go on in this environment, or it must be made again.

        A pip that ended by itself, even with an error, leaves whole packages. A killed one can leave half a package
        that pip later takes for a whole one, so state "installing" is never gone on with.
        """
        if stamp.get("state") == "ready":
            return self.runs()
        return stamp.get("state") == "failed" and self.call([self.python, "-m", "pip", "--version"]).returncode == 0

    # --- making it ---------------------------------------------------------------------------------------------

    def prepare(self, extra: str = "", cpu: bool = False) -> None:
        """Make or mend the environment; quick when nothing is to be done.

        Args:
            extra: an extra of pyproject.toml to install too, such as `"dev"`.
            cpu: install the CPU build of torch (matters on Linux only).

        Raises:
            SetupError: when it can't be made.
        """
        if self.is_ready(extra, cpu):
            return
        old = self.stamp()
        if self.folder.exists() and not old and any(self.folder.iterdir()):
            raise SetupError(
                f"There is a folder {self.folder} that course.py did not make. "
                "Rename it, or let `python3 course.py setup --fresh` delete it."
            )
        if old and not self.mendable(old):
            print("The environment .venv is unfinished or broken: making it again.")
            self.delete()
            old = {}
        extras = sorted({*old.get("extras", []), *([extra] if extra else [])})
        cpu_before = bool(old.get("cpu"))
        if old:
            print("Bringing .venv up to date …")
        else:
            print("Installing the course into .venv (once; some minutes, 2 GB or more on disk) …")
            self.create()
        self.write_stamp(state="installing", extras=extras, cpu=cpu or cpu_before)
        if cpu and not cpu_before:
            print(f"Taking the CPU build of torch from {CPU_INDEX} …")
            self.pip("--no-deps", "--force-reinstall", "--index-url", CPU_INDEX, "torch")
        target = f".[{','.join(extras)}]" if extras else "."
        self.pip("-e", target)
        self.write_stamp(state="ready", fingerprint=self.fingerprint())

    def create(self) -> None:
        """An empty environment with pip."""
        self.folder.mkdir(exist_ok=True)
        self.write_stamp(state="installing")  # first of all: from here on the folder is known to be ours
        made = self.call([sys.executable, "-m", "venv", self.folder])
        if made.returncode:
            output = made.stdout + made.stderr
            if "ensurepip" in output:
                raise SetupError(
                    "This Python has no venv module, as Debian and Ubuntu ship it apart. "
                    "Install it (sudo apt install python3-venv), then call this again."
                )
            raise SetupError(explain(output, self.folder))

    def delete(self) -> None:
        """Remove the folder."""
        if not self.managed:
            raise SetupError("This environment is not course.py's own. Delete it with the tool that made it.")
        try:
            if self.folder.exists():
                shutil.rmtree(self.folder)
        except OSError as error:
            raise SetupError(
                f"Can't delete {self.folder}: {error}. Close JupyterLab if it runs, then try again."
            ) from None

    def pip(self, *arguments: str, constraints: Path | str = "constraints.txt") -> None:
        """Run `pip install` under the constraints; show one line of progress; explain a failure."""
        command = [self.python, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        command += ["--progress-bar", "off", "-c", constraints, *arguments]
        process = subprocess.Popen(
            [str(part) for part in command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=self.root,
            env=self.variables(),
        )
        output = []
        try:
            for line in process.stdout:
                output.append(line)
                show_progress(line)
        finally:
            if process.poll() is None and sys.exc_info()[0]:
                process.terminate()
            status = process.wait()
            show_progress("")
        log = self.folder / "course-install.log"
        log.write_text("".join(output), encoding="utf-8")
        if status:
            self.write_stamp(state="failed")
            raise SetupError(explain("".join(output), log))

    def install_models(self, must: bool = False) -> None:
        """Install the two real models, once. Without them nearly all of the course works, so a failure only warns."""
        source = self.root / "tformer_course" / "offline_models.py"
        wanted = hashlib.sha256(source.read_bytes()).hexdigest() if source.exists() else ""
        if not wanted or self.stamp().get("models") == wanted:
            return
        done = subprocess.run(
            [str(self.python), "-m", "tformer_course.cli", "models"], cwd=self.root, env=self.variables()
        )
        if done.returncode == 0:
            if self.managed:
                self.write_stamp(models=wanted)
        elif must:
            raise SetupError("The two real models could not be installed (see above). Try `tformer models` again.")
        else:
            print(
                "The two real models are not there yet; only the cells that show them will say so. "
                "It is tried again next time."
            )

    def call(self, command: list) -> subprocess.CompletedProcess:
        """Run quietly; a program that can't even be started counts as failed."""
        try:
            return subprocess.run(
                [str(part) for part in command],
                capture_output=True,
                text=True,
                errors="replace",
                cwd=self.root,
                env=self.variables(),
            )
        except OSError as error:
            return subprocess.CompletedProcess(command, 127, "", str(error))

    # --- Jupyter -----------------------------------------------------------------------------------------------

    def write_jupyter_settings(self, instructor: bool) -> None:
        """Write Lab's settings inside the environment; nothing in the user's home is changed.

        No news and no update check (both would ask a server outside), and nbgrader's panels for instructors only
        where wanted. `jupyter labextension disable --level=sys_prefix` writes the same file, but takes seconds for
        each of the three.
        """
        merge_json(
            self.folder / "share/jupyter/lab/settings/overrides.json",
            {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}},
        )
        hidden = {f"@jupyter/nbgrader:{panel}": not instructor for panel in INSTRUCTOR_PANELS}
        merge_json(
            self.folder / "etc/jupyter/labconfig/page_config.json",
            # Lab copies the first to the second by itself, and would keep the lock when the panels are shown again.
            {"disabledExtensions": hidden, "lockedExtensions": hidden},
        )
        servers = {f"nbgrader.server_extensions.{name}": instructor for name in INSTRUCTOR_SERVERS}
        merge_json(
            self.folder / "etc/jupyter/jupyter_server_config.json", {"ServerApp": {"jpserver_extensions": servers}}
        )
        # Validate, wherever a student starts Lab; graders have the same in nbgrader_config.py.
        merge_json(self.folder / "etc/jupyter/nbgrader_config.json", {"ExecutePreprocessor": VALIDATE})


def here(root: Path) -> Environment:
    """The environment of the Python that runs now, as made by conda or by hand."""
    return Environment(root, Path(sys.prefix), managed=False)


def merge_json(path: Path, values: dict) -> None:
    """Set values in a JSON file, keeping what else is in it (two levels deep, enough for Jupyter's)."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        content = {}
    for key, value in values.items():
        content[key] = {**content.get(key, {}), **value}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def show_progress(line: str) -> None:
    """Show what pip does on one line of the terminal; elsewhere name only the large downloads."""
    words = line.split()
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns - 1
        text = line.strip() if words[:1] in (["Collecting"], ["Downloading"], ["Installing"], ["Using"]) else ""
        if text or not line:
            print("\r" + text[:width].ljust(width) + "\r", end="", flush=True)
    elif re.search(r"^\s*Downloading .*\((\d{3,}\.?\d* MB|.* GB)\)", line):
        print(line.rstrip())
