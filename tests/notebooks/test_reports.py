"""The generated pages say what the notebooks and the answer bank say."""

import dataclasses
import re
from pathlib import Path

from tests.reports import claims, grader

ROOT = Path(__file__).resolve().parents[2]


def test_every_claim_has_its_verdict_in_a_notebook_and_on_the_page():
    found = claims.everything()
    assert claims.problems(found) == []
    assert claims.PAGE.read_text(encoding="utf-8") == claims.page(found)


def test_missing_claim_and_other_verdict_are_seen():
    found = claims.everything()
    without = [row for row in found if "A-067" not in row.ids]
    assert claims.problems(without) == ["A-067 is in no notebook"]
    (row,) = [row for row in found if "A-067" in row.ids]
    changed = [*without, dataclasses.replace(row, verdict="correct")]
    assert claims.problems(changed) == ["A-067: the ledger says 'wrong', the notebooks say correct"]


def test_page_of_the_graders_counts_what_the_bank_holds():
    assert grader.problems() == []


def test_readme_shows_what_was_measured():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    notebooks = (ROOT / "docs" / "bench_notebooks.md").read_text(encoding="utf-8")
    measured = re.findall(r"(?m)^\| (\d\d)_(\w+) \| (\d+) \| \d+ \| ([\d.]+) \|$", notebooks)
    shown = re.findall(r"(?m)^\| (\d\d) \| `(\w+)` \| .+ \| (\d+) s \| ([\d.]+) GB \|$", readme)
    assert len(measured) == 10 and shown == measured
    grading = (ROOT / "docs" / "bench_grading.md").read_text(encoding="utf-8")
    rows = re.findall(r"submission of (\d\d), .*?: ([\d.]+) \| ([\d.]+) \| ([\d.]+) ×", readme)
    assert len(rows) == 10
    for number, plain, ours, times in rows:
        section = grading.split(f"## {number}_")[1].split("## ")[0]
        assert f"| {plain} |" in section and f"| {ours} |" in section and f"| {times} |" in section
