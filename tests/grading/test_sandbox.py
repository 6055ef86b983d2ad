"""The sandbox is probed before it is used, refuses with reason and fix, and works for root and for ordinary users."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.grading.conftest import needs_sandbox
from tests.grading.mini import ROOT
from tformer_course.grading import sandbox, seccomp, settings
from tformer_course.grading.kernels import Kernels, OpenKernels
from tformer_course.grading.sandbox import Limits, SandboxError, command, filter_file, probe


@pytest.fixture
def asked_anew():
    probe.cache_clear()
    yield
    probe.cache_clear()


@pytest.mark.parametrize(
    ("said", "fix"),
    [
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: No permissions to create new namespace", "containers"),
        ("bwrap: Unknown option --disable-userns", "0.8"),
        ("open: network", "not tight"),
        ("", "does not work here"),
    ],
)
def test_refusal_names_reason_and_fix(monkeypatch, asked_anew, said, fix):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    done = subprocess.CompletedProcess([], 1, said if said.startswith("open") else "", said)
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: done)
    monkeypatch.setattr(sandbox.seccomp, "program", lambda: b"")
    with pytest.raises(SandboxError, match=fix):
        probe()


def test_missing_bubblewrap_and_other_systems_are_refused(monkeypatch, asked_anew):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(SandboxError, match="Install the package bubblewrap"):
        probe()
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(SandboxError, match="Linux virtual machine"):
        probe()


def test_no_sandbox_means_no_kernels(monkeypatch, asked_anew):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(settings, "_used", [])
    with pytest.raises(SandboxError):
        settings.kernels()
    with settings.using(OpenKernels()) as chosen:
        assert settings.kernels() is chosen
    with pytest.raises(SandboxError):
        settings.kernels()


def test_no_config_file_can_switch_it_off():
    from tformer_course.grading.execute import Execute

    names = {n for n, t in Execute.class_traits(config=True).items() if "sandbox" in n or "unsafe" in n}
    assert names == set()


@needs_sandbox
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root makes process namespaces")
def test_root_has_one_in_a_container_whose_low_process_numbers_are_free():
    use_up = "for i in $(seq 40); do /bin/true; done"
    ask = f"{sys.executable} -c 'from tformer_course.grading import sandbox; sandbox.probe()'"
    command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", f"{use_up}; {ask}; exit $?"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]


@needs_sandbox
def test_this_machine_has_one():
    assert probe() is None


@needs_sandbox
def test_it_starts_where_nothing_that_is_seen_lies_below_tmp(monkeypatch):
    # bubblewrap builds its root in /tmp, also inside the first view that root makes.
    monkeypatch.setattr(sandbox, "views", lambda: [Path("/usr")])
    with filter_file() as fd:
        line = command(["/usr/bin/true"], Limits(), fd)
        done = subprocess.run(line, pass_fds=[fd], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@needs_sandbox
def test_probe_notices_a_sandbox_that_is_not_tight(monkeypatch, asked_anew):
    tight, walls = command, {"--unshare-pid", "--pid", "--fork", "--kill-child", "--mount-proc"}

    def leaky(*given, **named):
        return [option for option in tight(*given, **named) if option not in walls]

    monkeypatch.setattr(sandbox, "command", leaky)
    with pytest.raises(SandboxError, match="other processes"):
        probe()


def test_filter_is_made_for_two_machines_and_no_other():
    for machine in ("x86_64", "aarch64"):
        assert len(seccomp.program(machine)) % 8 == 0
    with pytest.raises(seccomp.SeccompError, match="riscv64"):
        seccomp.program("riscv64")


def test_filter_decides_as_it_says():
    """The compiled program, run by a small interpreter of its six instructions."""
    import struct

    def decide(number: int, first: int = 0, second: int = 0, third: int = 0, arch: int = 0xC000003E) -> int:
        data = struct.pack("<IIQQQQ", number, arch, 0, first, second, third)
        code = list(struct.iter_unpack("<HBBI", seccomp.program("x86_64")))
        at = value = 0
        while True:
            operation, yes, no, k = code[at]
            if operation == 0x20:
                (value,) = struct.unpack_from("<I", data, k)
                at += 1
            elif operation == 0x06:
                return k
            else:
                holds = {0x15: value == k, 0x35: value >= k, 0x45: bool(value & k)}[operation]
                at += 1 + (yes if holds else no)

    allow, eperm = 0x7FFF0000, 0x00050001
    assert decide(0) == decide(1) == decide(59) == allow  # read, write, execve
    assert all(decide(n[0]) == eperm for n in seccomp.REFUSED.values())
    assert decide(56, 17) == allow and decide(56, 0x10000011) == decide(56, 0x20000) == eperm  # clone
    assert decide(435) == 0x00050026  # clone3: ENOSYS
    assert [decide(41, family) == allow for family in (1, 2, 10, 16, 17, 38, 40)] == [True] * 4 + [False] * 3
    assert decide(41, 16, 3, 0) == allow and decide(41, 16, 3, 7) != allow  # netlink: routes only
    assert decide(16, 0, 0x5412) == eperm and decide(16, 0, 0x5401) == allow  # ioctl
    assert decide(0x40000000) == eperm and decide(0, arch=0x40000003) == 0x80000000


def run_inside(code: str) -> str:
    with filter_file() as fd:
        inside = [sys.executable, "-P", "-c", code]
        done = subprocess.run(
            command(inside, Limits(), fd),
            pass_fds=[fd],
            capture_output=True,
            text=True,
            timeout=60,
            env={"PATH": os.environ["PATH"], "SECRET": "s"},
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_sandbox
def test_view_inside_is_python_and_nothing_else():
    said = run_inside(
        "import os; print(os.environ.get('SECRET'), sorted(os.listdir('/')), os.getcwd(), os.listdir('.'))"
    )
    assert said.startswith("None") and said.strip().endswith("/box []")
    seen = {path.parts[1] for path in sandbox.views()}  # Python and this package may lie in one of these
    for hidden in {"home", "var", "run", "sys", "opt", "mnt", "srv", "media", "boot"} - seen:
        assert f"'{hidden}'" not in said
    package = run_inside(f"import os; print(os.listdir({str(sandbox.PACKAGE.parent)!r}))")
    assert "solutions" not in package and "tests" not in package and "tformer_course" in package


def test_course_that_students_could_read_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(sandbox, "views", lambda: [tmp_path / "python"])
    (tmp_path / "python" / "course").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "python")
    with settings.using(Kernels()), pytest.raises(SandboxError, match="Move it elsewhere"):
        settings.kernels(tmp_path / "link" / "course")
    with settings.using(Kernels()) as chosen:
        assert settings.kernels(tmp_path) is chosen


ORDINARY = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.grading.mini import *
from tformer_course.grading.engine import Options, main
if __name__ == "__main__":
    course = Course(Path({folder!r}))
    course.hand_in("alice", course.answered(all="right"))
    said = []
    status = main(Options(ASSIGNMENT, root=course.root, jobs=1), said.append)
    assert status == 0 and "7 of 7" in said[0], said
    import os; print("uid", os.geteuid())
"""


@needs_sandbox
@pytest.mark.proof
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
def test_whole_engine_works_for_an_ordinary_user(tmp_path):
    """Run as root, it becomes a user without rights who has a home and can read Python, wherever that lies."""
    folder = Path("/tmp") / f"tformer-ordinary-{os.getpid()}"
    folder.mkdir(mode=0o700)
    os.chown(folder, 4321, 4321)
    script = folder / "run.py"
    script.write_text(ORDINARY.format(root=str(ROOT), folder=str(folder / "course")))
    view = ["bwrap", "--dev-bind", "/", "/", "--perms", "0755", "--tmpfs", "/root"]
    for path in {Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT}:
        if path.is_relative_to("/root"):
            for parent in reversed(path.parents[:-2]):
                view += ["--perms", "0755", "--dir", str(parent)]
            view += ["--ro-bind", str(path), str(path)]
    drop = ["setpriv", "--reuid=4321", "--regid=4321", "--clear-groups", "--inh-caps=-all", "--"]
    try:
        done = subprocess.run(
            [*view, *drop, sys.executable, str(script)],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0 and "uid 4321" in done.stdout, done.stdout + done.stderr
    finally:
        shutil.rmtree(folder, ignore_errors=True)


STARTER = """
import subprocess, sys, time
from tformer_course.grading.sandbox import Limits, command, filter_file

with filter_file() as fd:
    inside = [sys.executable, "-c", "import time; time.sleep(600)  # {mark}"]
    process = subprocess.Popen(command(inside, Limits(), fd), pass_fds=[fd])
print(process.pid, flush=True)
time.sleep(600)
"""


@needs_sandbox
@pytest.mark.parametrize("killed", ["the grader", "the first process of the sandbox"])
def test_nothing_outlives_the_grader(killed):
    mark = f"outlive-{os.getpid()}-{killed[4]}"

    def alive() -> list[int]:
        found = []
        for p in psutil.process_iter(["cmdline"]):
            with contextlib.suppress(psutil.NoSuchProcess):  # it has ended meanwhile
                if any(mark in a for a in p.info["cmdline"] or []) and p.status() != psutil.STATUS_ZOMBIE:
                    found.append(p.pid)
        return [pid for pid in found if pid != grader.pid]

    grader = subprocess.Popen(
        [sys.executable, "-c", STARTER.replace("{mark}", mark)],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT)},
    )
    try:
        first = int(grader.stdout.readline())
        until = time.monotonic() + 30
        while len(alive()) < 2 and time.monotonic() < until:
            time.sleep(0.1)
        assert alive()
        os.kill(grader.pid if killed == "the grader" else first, signal.SIGKILL)
        until = time.monotonic() + 30
        while alive() and time.monotonic() < until:
            time.sleep(0.1)
        assert alive() == []
    finally:
        for pid in alive():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        grader.kill()
        grader.wait()
