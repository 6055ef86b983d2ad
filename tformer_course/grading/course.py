"""A course folder opened for grading, and the workers that grade."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory

from .runner import Bounds
from .submissions import CourseError


@dataclass(frozen=True)
class Options:
    """What the command line says; see `tformer grade --help`."""

    assignment: str
    students: tuple[str, ...] = ()
    jobs: int = 0
    force: bool = False
    check: bool = False
    scheduler: str = ""
    unsafe: bool = False
    root: Path = field(default_factory=Path.cwd)


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load_course(root: Path) -> tuple[NbGraderAPI, Bounds]:
    """nbgrader's API for a course folder, with its nbgrader_config.py and the user's own."""
    from nbgrader.apps.nbgraderapp import NbGraderApp
    from traitlets.config import Config

    if not (root / "nbgrader_config.py").exists():
        raise CourseError(f"{root} is no course folder: there is no nbgrader_config.py in it")
    app = NbGraderApp()
    with contextlib.chdir(root):
        app.load_config_file()
        config = Config(app.config)
        config.CourseDirectory.setdefault("root", str(root))
        api = NbGraderAPI(CourseDirectory(config=config), config=config)
    api.log.setLevel(logging.CRITICAL)
    given = Config(config.get("ExecutePreprocessor", {}))
    given.merge(config.get("Execute", {}))
    bounds = Bounds(
        float(given.get("timeout") or 180),
        float(given.get("notebook_timeout") or 900),
        float(given.get("startup_timeout") or 120),
    )
    return api, bounds


@contextlib.contextmanager
def executor(options: Options) -> Iterator[Executor]:
    """A pool of processes, or a Dask cluster's executor: the same interface."""
    if options.scheduler:
        from distributed import Client

        with Client(options.scheduler, set_as_default=False) as client:
            yield client.get_executor(pure=False, retries=2)
        return
    # A fresh interpreter per worker: a fork of this one would carry its threads' locks.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(options.jobs or available_cores(), mp_context=context)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in (pool._processes or {}).values():
            process.terminate()  # its sandboxes die with it
        raise
    pool.shutdown()
