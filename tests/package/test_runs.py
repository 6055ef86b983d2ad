"""Results of long experiments: kept run by run, in a file that several processes may share."""

import json

import pytest

from tformer_course.training.runs import Runs


def test_a_run_is_there_once_it_is_kept_and_the_next_process_sees_it(tmp_path):
    one, other = (Runs(tmp_path / "results.json", {"steps": 3}) for _ in range(2))
    assert "b" not in one
    one.keep("b", {"loss": [2.0, 1.0]})
    other.keep("a", {"loss": [3.0]})
    other.keep("a", {"accuracy": 0.5}, "judges")
    assert "a" in one and "b" in other
    content = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert content == {
        "runs": {"b": {"loss": [2.0, 1.0]}, "a": {"loss": [3.0]}},
        "setup": {"steps": 3},
        "judges": {"a": {"accuracy": 0.5}},
    }


def test_sorted_runs_do_not_tell_which_ended_first(tmp_path):
    for order in ("ab", "ba"):
        for name in order:
            Runs(tmp_path / order, {}, by_name=True).keep(name, {})
    assert (tmp_path / "ab").read_bytes() == (tmp_path / "ba").read_bytes()


@pytest.mark.parametrize("by_name", [True, False])
@pytest.mark.parametrize("name", ["09_rlhf_dpo/preferences.json", "10_grpo/arithmetic.json"])
def test_what_is_kept_again_leaves_a_committed_file_as_it_is(root, tmp_path, name, by_name):
    before = (root / "assets" / "results" / name).read_bytes()
    path = tmp_path / "results.json"
    path.write_bytes(before)
    content = json.loads(before)
    first = next(iter(content["runs"]))
    Runs(path, content["setup"], by_name).keep(first, content["runs"][first])
    assert path.read_bytes() == before
