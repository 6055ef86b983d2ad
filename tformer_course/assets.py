"""Where the course's small files are: figures, trained weights, results of long runs."""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def asset(relative: str) -> Path:
    """Find a file or folder of `assets/`, wherever the course is used.

    The package's own place decides, never the working directory, so a notebook finds its files after a student
    moved or fetched it elsewhere. In turn: the folder that `TFORMER_ASSETS` names (for a sandbox that shows the
    package alone), an installed wheel (`tformer_course/_assets`), a checkout or a student's bundle (`assets/`
    beside the package).

    Args:
        relative: path below `assets/` with forward slashes, for example `"weights/positions.safetensors"`.

    Returns:
        The absolute path.

    Raises:
        ValueError: for an absolute path, or one that leaves `assets/`.
        FileNotFoundError: when no place has it; the message says what to do.
    """
    parts = relative.replace("\\", "/").split("/")
    if not relative or Path(relative).is_absolute() or ".." in parts or ":" in parts[0]:
        raise ValueError(f"asset() takes a path below assets/, such as 'weights/x.safetensors', not {relative!r}")
    places = [PACKAGE / "_assets", PACKAGE.parent / "assets"]
    if os.environ.get("TFORMER_ASSETS"):
        places.insert(0, Path(os.environ["TFORMER_ASSETS"]).resolve())
    for place in places:
        if (place / relative).exists():
            return place / relative
    looked = " and ".join(str(place) for place in places)
    raise FileNotFoundError(
        f"The course file assets/{relative} is missing (looked in {looked}). "
        "Get a whole copy of the course again (git pull, or the zip from your instructor), "
        "then run `python3 course.py setup`."
    )
