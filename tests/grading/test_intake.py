"""Intake: plain files of a sane size and notebooks that can be read come in; all else is named, and nothing raises."""

from __future__ import annotations

import json
import os
import socket
import stat

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tformer_course.grading import intake
from tformer_course.grading.intake import IntakeError, read_notebook, take_in

GOOD = nbformat.writes(new_notebook(cells=[new_code_cell("x = 1")]))


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "submission"
    path.mkdir()
    (path / "mini.ipynb").write_text(GOOD)
    return path


def test_plain_submission_comes_in_whole(folder):
    (folder / "data.csv").write_text("1,2")
    (folder / "sub").mkdir()
    (folder / "sub" / "more.txt").write_text("m")
    found = take_in(folder, ["mini"])
    assert found.notebooks["mini"].cells[0].source == "x = 1"
    assert found.files == {"data.csv": b"1,2", "sub/more.txt": b"m"}
    assert not found.rejected and not found.left_out


def test_links_pipes_sockets_and_devices_are_left_out(folder, tmp_path):
    (tmp_path / "secret").write_text("the solution")
    os.symlink(tmp_path / "secret", folder / "link.txt")
    os.symlink("/dev/zero", folder / "zero")
    os.symlink(tmp_path, folder / "up")
    os.mkfifo(folder / "pipe")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "sock"))
    found = take_in(folder, ["mini"])
    listening.close()
    assert set(found.left_out) == {"link.txt", "zero", "up", "pipe", "sock"}
    assert found.files == {} and "mini" in found.notebooks


def test_notebook_that_is_a_link_is_rejected(folder, tmp_path):
    (folder / "mini.ipynb").rename(tmp_path / "elsewhere.ipynb")
    os.symlink(tmp_path / "elsewhere.ipynb", folder / "mini.ipynb")
    found = take_in(folder, ["mini"])
    assert "link" in found.rejected["mini"] and not found.notebooks
    with pytest.raises(IntakeError):
        read_notebook(folder / "mini.ipynb")


def test_folder_that_is_a_link_is_rejected(folder, tmp_path):
    os.symlink(folder, tmp_path / "other")
    assert take_in(tmp_path / "other", ["mini"]).rejected == {"mini": "the submission is not a folder"}
    assert "mini" in take_in(tmp_path / "nowhere", ["mini"]).rejected


@pytest.mark.parametrize("name", ["torch.py", "json.py", "sitecustomize.py", "tformer_course", "odd.pth", "ext.so"])
def test_names_that_shadow_a_module_are_left_out(folder, name):
    if "." in name:
        (folder / name).write_text("raise SystemExit")
    else:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("raise SystemExit")
    found = take_in(folder, ["mini"])
    assert not found.files and len(found.left_out) == 1


def test_support_file_is_not_replaced(folder):
    (folder / "data.csv").write_text("mine")
    assert "data.csv" in take_in(folder, ["mini"], support=["data.csv"]).left_out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "damaged"),
        ("", "damaged"),
        ("[]", "not a Jupyter notebook"),
        ('{"nbformat": "4"}', "not a Jupyter notebook"),
        ('{"nbformat": 2, "cells": []}', "nbformat 2"),
        ('{"nbformat": 4}', "not a notebook that can be read"),
        ('{"nbformat": 4, "cells": 7}', "not a notebook that can be read"),
        ('{"nbformat": 4, "cells": [7]}', "not a notebook that can be read"),
        ('{"nbformat": 4, "cells": [{"cell_type": "code", "source": {"a": 1}}]}', "not a notebook that can be read"),
        ("[" * 100_000, "nested too deeply"),
        (b"\xff\xfe\x00", "UTF-8"),
    ],
)
def test_unreadable_notebooks_are_rejected_in_a_sentence(folder, text, says):
    (folder / "mini.ipynb").write_bytes(text if isinstance(text, bytes) else text.encode())
    found = take_in(folder, ["mini"])
    assert says in found.rejected["mini"] and "\n" not in found.rejected["mini"]


def test_sizes_are_capped_before_parsing(folder, monkeypatch):
    monkeypatch.setattr(intake, "NOTEBOOK_BYTES", 100)
    monkeypatch.setattr(intake, "FILE_BYTES", 10)
    monkeypatch.setattr(json, "loads", lambda text: pytest.fail("parsed"))
    (folder / "data.bin").write_bytes(b"x" * 11)
    found = take_in(folder, ["mini"])
    assert "too large" in found.rejected["mini"] and "too large" in found.left_out["data.bin"]


def test_sparse_giant_is_not_read(folder):
    os.truncate(folder / "mini.ipynb", 2**40)
    assert "too large" in take_in(folder, ["mini"]).rejected["mini"]


def test_too_many_or_too_long_cells_are_rejected(folder):
    cell = {"cell_type": "code", "source": "", "metadata": {}, "outputs": [], "execution_count": None}
    (folder / "mini.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "cells": [cell] * 2001}))
    assert "2001 cells" in take_in(folder, ["mini"]).rejected["mini"]
    cell["source"] = "x" * 200_001
    (folder / "mini.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 4, "cells": [cell]}))
    assert "characters" in take_in(folder, ["mini"]).rejected["mini"]


def test_old_format_without_ids_and_odd_text_are_read(folder):
    cell = {"cell_type": "code", "input": ["a = 1\n", "b"], "outputs": [], "language": "python"}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": [cell]}]}
    (folder / "mini.ipynb").write_text(json.dumps(old))
    assert take_in(folder, ["mini"]).notebooks["mini"].cells[0].source == "a = 1\nb"
    odd = {"cell_type": "code", "source": b"x = '\\ud800\x00'".decode("unicode_escape"), "metadata": {}}
    (folder / "mini.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": [odd]}))
    (cell,) = take_in(folder, ["mini"]).notebooks["mini"].cells
    cell.source.encode("utf-8")
    assert "\x00" not in cell.source and cell.id == "cell-0"


def test_nothing_of_a_cell_comes_in_but_source_and_ids(folder):
    cell = {
        "cell_type": "code",
        "id": "here",
        "source": "x",
        "outputs": [{"output_type": "stream", "name": "stdout", "text": "forged"}],
        "execution_count": 3,
        "metadata": {"tags": ["skip-execution"], "nbgrader": {"grade_id": "test_x", "points": 99, "locked": False}},
    }
    (folder / "mini.ipynb").write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": [cell]}))
    (node,) = take_in(folder, ["mini"]).notebooks["mini"].cells
    assert node.metadata == {"nbgrader": {"grade_id": "test_x"}} and node.id == "here" and node.outputs == []


def test_renamed_notebook_is_taken_for_the_only_one(folder):
    (folder / "mini.ipynb").rename(folder / "mini (1).ipynb")
    found = take_in(folder, ["mini"])
    assert "mini" in found.notebooks and not found.rejected


def test_missing_notebook_is_named(folder):
    (folder / "mini.ipynb").unlink()
    assert take_in(folder, ["mini"]).rejected == {"mini": "there is no mini.ipynb in the submission"}


def test_nothing_is_written(folder):
    os.symlink("/etc/hostname", folder / "link")
    before = {p: (p.lstat().st_mtime_ns, stat.S_IFMT(p.lstat().st_mode)) for p in [folder, *folder.rglob("*")]}
    take_in(folder, ["mini"])
    after = {p: (p.lstat().st_mtime_ns, stat.S_IFMT(p.lstat().st_mode)) for p in [folder, *folder.rglob("*")]}
    assert before == after


@pytest.mark.parametrize("name", [".ipython/profile_default/startup/a.py", ".matplotlib/matplotlibrc", ".netrc"])
def test_hidden_files_which_programs_would_read_at_their_start_are_left_out(folder, name):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("raise SystemExit")
    found = take_in(folder, ["mini"])
    assert found.files == {} and list(found.left_out) == [name.split("/")[0]] and "mini" in found.notebooks


def test_files_are_counted_in_all_folders_together(folder):
    for i in range(20):
        (folder / f"part{i:02}").mkdir()
        for k in range(20):
            (folder / f"part{i:02}" / f"{k}.txt").touch()
    found = take_in(folder, ["mini"])
    assert len(found.files) < intake.MAX_FILES and "mini" in found.notebooks
    assert found.left_out["…"] == f"there are more than {intake.MAX_FILES} files"


def test_format_3_is_read_without_believing_its_levels(folder):
    cells = [
        {"cell_type": "heading", "level": 10**9, "source": ["A ", "title"]},
        {"cell_type": "code", "input": "x = 1", "source": "y"},
    ]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}
    (folder / "mini.ipynb").write_text(json.dumps(old))
    read = read_notebook(folder / "mini.ipynb").cells
    assert [(c.cell_type, c.source) for c in read] == [("markdown", "A title"), ("code", "x = 1")]
