"""The generated pages say what the notebooks and the answer bank say."""

import dataclasses

from tests.reports import claims, grader


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
