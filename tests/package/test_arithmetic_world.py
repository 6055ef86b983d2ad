"""The world of chapter 10: sums and their rewards, and a pipeline that may be stopped or killed anywhere."""

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from tformer_course.training import grpo as world
from tformer_course.training.grpo import pipeline
from tformer_course.training.grpo.report import spread


def test_sums_that_are_asked_are_never_taught():
    assert len(world.TRAIN) == 7600 and len(world.TEST) == 500 and not set(world.TRAIN) & set(world.TEST)


def test_a_cache_changes_no_score():
    model, prompts = world.arithmetic_model(0), world.prompts_of([(17, 25), (90, 10), (17, 25)])
    read, tokens = world.Remembering(model), prompts.repeat_interleave(2, dim=0)
    for step in range(5):
        torch.testing.assert_close(read(tokens), model(tokens)[:, -1:])
        tokens = torch.cat([tokens, torch.full((6, 1), step) + torch.arange(6).unsqueeze(1)], dim=1)
    torch.testing.assert_close(read(tokens[:4]), model(tokens[:4])[:, -1:])  # another batch: nothing is remembered


def test_right_answers_earn_the_whole_reward():
    pairs = world.TEST[:20]
    assert (world.rewards_of(world.answer_rows(pairs).unsqueeze(1), pairs) == 1).all()
    assert world.decode(world.answer_rows([(17, 25)])[0].tolist()) == "<answer>42</answer>"
    assert world.first_ends(torch.tensor([[1, world.END, world.END]])).tolist() == [[True, True, False]]


TINY = {"pretraining": 4, "half": 0.0, "preference": 3, "GRPO": 3, "prompts": 2, "asked": 2, "samples": 2}


def files_of(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module", autouse=True)
def three_steps_of_sft():
    """Half right or not: fine-tuning ends after three steps, so that a whole pipeline takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pipeline, "fine_tune", lambda model, **kw: world.fine_tune(model, **{**kw, "most": 3}))
        yield


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """A run in one piece: its folder, the model's weights and the records."""
    folder, seen = tmp_path_factory.mktemp("whole"), []

    def progress(steps, desc=""):
        seen.append(desc)
        return steps

    model, records = world.run_pipeline(folder, 0, TINY, progress)
    assert seen == list(world.STAGES) == list(records) and isinstance(model, nn.Module)
    return folder, model.state_dict(), records


@pytest.mark.slow
def test_a_pipeline_stopped_in_every_stage_ends_as_one_in_one_piece(whole_run, tmp_path):
    folder, weights, records = whole_run

    for stopped in world.STAGES:
        begun = []

        def progress(steps, desc="", stopped=stopped, begun=begun):
            begun.append(desc)
            for i, step in enumerate(steps):
                if desc == stopped and i == 2:
                    raise KeyboardInterrupt
                yield step

        with pytest.raises(KeyboardInterrupt):
            world.run_pipeline(tmp_path, 0, TINY, progress)
        before = list(world.STAGES[: world.STAGES.index(stopped)])
        assert begun == [*before[-1:], stopped], "what was finished is trained again"
    model, again = world.run_pipeline(tmp_path, 0, TINY)
    assert again == records and files_of(tmp_path) == files_of(folder)
    assert all(torch.equal(w, weights[name]) for name, w in model.state_dict().items())


KILLED = """
import json, os, signal, sys
from tformer_course.training import grpo as world
from tformer_course.training.grpo import pipeline
def progress(steps, desc=""):
    for i, step in enumerate(steps):
        if i == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        yield step
world.run_pipeline(sys.argv[1], 0, json.loads(sys.argv[2]), progress)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs a kill that cannot be caught")
@pytest.mark.slow
def test_a_pipeline_killed_in_the_middle_of_its_last_stage_loses_nothing(whole_run, tmp_path):
    folder, _, records = whole_run
    for path in folder.iterdir():
        if not path.name.startswith("GRPO"):
            shutil.copy(path, tmp_path)
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), json.dumps(TINY)], timeout=120, check=False)
    assert run.returncode == -signal.SIGKILL
    assert set(files_of(folder)) - set(files_of(tmp_path)) == {"GRPO_seed0.json", "GRPO_seed0.safetensors"}
    _, again = world.run_pipeline(tmp_path, 0, TINY)
    assert again == records and files_of(tmp_path) == files_of(folder)


@pytest.mark.slow
def test_a_pipeline_killed_between_weights_and_record_trains_that_stage_again(whole_run, tmp_path, monkeypatch):
    folder, _, records = whole_run
    for path in folder.iterdir():
        if path.name != "GRPO_seed0.json":
            shutil.copy(path, tmp_path)
    real = Path.write_bytes

    def full_disk(path, content):
        if path.name.startswith("GRPO_seed0.json"):
            real(path, content[: len(content) // 2])
            raise OSError("no space left")
        return real(path, content)

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="space"):
        world.run_pipeline(tmp_path, 0, TINY)
    monkeypatch.undo()
    assert not (tmp_path / "GRPO_seed0.json").exists()
    _, again = world.run_pipeline(tmp_path, 0, TINY)
    assert again == records and files_of(tmp_path) == files_of(folder)


def test_a_folder_of_another_pipeline_is_left_alone(tmp_path):
    (tmp_path / "settings_seed0.json").write_text(json.dumps(world.SHORT))
    with pytest.raises(ValueError, match="other|another"):
        world.run_pipeline(tmp_path, 0, TINY)
    assert list(files_of(tmp_path)) == ["settings_seed0.json"]


def test_the_report_names_stages_and_escapes_what_a_model_wrote(tmp_path):
    numbers = {
        "accuracy": 0.1,
        "pass@1": 0.1,
        "pass@n": 0.5,
        "form": 1.0,
        "gladly": 0.5,
        "plain loss": 1.0,
        "length": 5.0,
    }
    runs = [
        {stage: {**numbers, "accuracy": i / 10, "samples": ["<answer>1"] * 4} for i, stage in enumerate(world.STAGES)}
    ]
    page = world.report_page(runs)
    assert all(stage in page for stage in world.STAGES) and "&lt;answer&gt;1" in page and "<answer>" not in page
    assert world.changes(runs)[0] == "SFT: greedy right 0% → 10%"
    assert world.write_report(tmp_path / "report.html", page).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert spread([0.1, 0.2], True) == "15% (10% – 20%)"
