"""The real models: found, verified, converted once and safely, and clear words where something is missing."""

from __future__ import annotations

import hashlib
import json
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.package.fresh_python import ROOT, run_python
from tformer_course import offline_models, pretrained
from tformer_course.offline_models import BERT, LLAMA, ModelError

installed = pytest.mark.skipif(
    offline_models._path(BERT) is None or offline_models._path(LLAMA) is None, reason="run: tformer models"
)
# A conversion of a kilobyte that takes its time, for tests of what happens in between.
SLOW_CONVERT = """
    import json, pathlib, sys, time
    from tformer_course import offline_models as models
    def convert(source, part, progress):
        print("converting", flush=True)
        part.mkdir()
        (part / "model.safetensors").write_bytes(b"x" * 1000)
        time.sleep(float(sys.argv[1]))
        files = {"model.safetensors": models._sha256(part / "model.safetensors")}
        (part / "complete.json").write_text(json.dumps({"gguf": models.LLAMA.sha256, "files": files}))
    models._convert = convert
    models.verified = lambda model: pathlib.Path("unused")
"""


def fake_conversion(monkeypatch: pytest.MonkeyPatch, cache: Path) -> list[Path]:
    """Point the cache at a folder and replace the half-minute conversion; returns the list of those that ran."""
    ran: list[Path] = []

    def convert(source: Path, part: Path, progress: bool) -> None:
        ran.append(part)
        part.mkdir()
        (part / "model.safetensors").write_bytes(b"weights")
        files = {"model.safetensors": hashlib.sha256(b"weights").hexdigest()}
        (part / "complete.json").write_text(json.dumps({"gguf": LLAMA.sha256, "files": files}))

    monkeypatch.setenv("TFORMER_CACHE", str(cache))
    monkeypatch.setattr(offline_models, "_convert", convert)
    monkeypatch.setattr(offline_models, "verified", lambda model: Path("unused"))
    return ran


# The real models


@installed
def test_bert_returns_attention_of_six_layers_and_twelve_heads():
    import torch

    model, tokenizer = pretrained.load_bert()
    inputs = tokenizer("The cat sat.", return_tensors="pt")
    with torch.no_grad():
        attentions = model(**inputs, output_attentions=True).attentions
    assert not model.training
    assert [tuple(layer.shape) for layer in attentions] == [(1, 12, 6, 6)] * 6
    assert torch.allclose(attentions[0].sum(-1), torch.ones(1, 12, 6), atol=1e-5)


@pytest.mark.slow
@installed
def test_llama_predicts_and_adds_no_bos():
    import torch

    model, tokenizer = pretrained.load_llama()
    inputs = tokenizer("The capital of France is", return_tensors="pt")
    with torch.no_grad():
        output = model(**inputs, output_attentions=True)
    assert tokenizer.decode(output.logits[0, -1].argmax()) == " Paris"
    assert tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])[0] == "The"
    assert [tuple(layer.shape) for layer in output.attentions] == [(1, 9, 5, 5)] * 30


@pytest.mark.slow
@installed
def test_converted_weights_are_those_of_the_gguf():
    """An independent reading: the gguf package de-quantises the blocks itself."""
    import numpy as np
    from gguf import GGUFReader
    from gguf.quants import dequantize

    model, _ = pretrained.load_llama()
    weights = model.state_dict()
    tensors = {tensor.name: tensor for tensor in GGUFReader(offline_models._path(LLAMA)).tensors}
    for theirs, ours in (
        ("token_embd.weight", "model.embed_tokens.weight"),
        ("blk.7.ffn_down.weight", "model.layers.7.mlp.down_proj.weight"),
        ("blk.29.attn_v.weight", "model.layers.29.self_attn.v_proj.weight"),
        ("output_norm.weight", "model.norm.weight"),
    ):
        expected = dequantize(tensors[theirs].data, tensors[theirs].tensor_type)
        assert np.array_equal(weights[ours].numpy(), expected.reshape(weights[ours].shape)), ours


@installed
@pytest.mark.slow
def test_loading_prints_nothing_on_stderr_and_warns_of_nothing():
    process = run_python(
        """
        import warnings
        warnings.simplefilter("error")
        from tformer_course.pretrained import load_bert
        load_bert()
        print("loaded")
        """
    )
    out, err = process.communicate(timeout=120)
    assert (out, err) == ("loaded\n", "")


# Missing and damaged files


def test_nothing_installed_says_what_to_run(monkeypatch, tmp_path):
    monkeypatch.setattr(offline_models, "_path", lambda model: None)
    monkeypatch.setenv("TFORMER_CACHE", str(tmp_path))
    for load in (pretrained.load_bert, pretrained.load_llama):
        with pytest.raises(ModelError, match=re.escape("run: tformer models")):
            load()
    assert [(row.found, row.hash_ok, row.fix) for row in pretrained.model_status()] == [
        (False, False, "run: tformer models")
    ] * 3


def test_damaged_file_is_refused_before_it_is_loaded(monkeypatch, tmp_path):
    damaged = tmp_path / "model.safetensors"
    damaged.write_bytes(b"not a model")
    monkeypatch.setattr(offline_models, "_path", lambda model: damaged)
    with pytest.raises(ModelError, match=f"damaged.*{BERT.sha256[:12]}.*run: tformer models"):
        pretrained.load_bert()
    status = pretrained.model_status()[0]
    assert status.found and not status.hash_ok and status.fix == "run: tformer models"


def test_pins_equal_the_constraints():
    constraints = ROOT / "constraints.txt"
    if not constraints.exists():
        pytest.skip("no constraints.txt in an installed package")
    text = constraints.read_text(encoding="utf-8")
    for model in (BERT, LLAMA):
        for line in re.findall(rf"(?m)^#?\s*{model.package}==(\S+)", text):
            assert line == model.version


# The cache


def test_conversion_runs_once(monkeypatch, tmp_path):
    ran = fake_conversion(monkeypatch, tmp_path)
    first, second = offline_models.converted_llama(), offline_models.converted_llama()
    assert first == second == tmp_path / "smollm2"
    assert len(ran) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["smollm2", "smollm2.lock"]


@pytest.mark.parametrize("name", ["model.safetensors", "complete.json"])
@pytest.mark.parametrize("content", [None, b"", b"other"])
def test_damaged_cache_is_noticed_and_made_again(monkeypatch, tmp_path, name, content):
    ran = fake_conversion(monkeypatch, tmp_path)
    folder = offline_models.converted_llama()
    (folder / name).unlink() if content is None else (folder / name).write_bytes(content)
    assert not pretrained.model_status()[2].hash_ok
    offline_models.converted_llama()
    assert len(ran) == 2
    assert pretrained.model_status()[2] == (f"{LLAMA.label}, converted", True, True, "")


def test_conversion_of_another_gguf_is_made_again(monkeypatch, tmp_path):
    ran = fake_conversion(monkeypatch, tmp_path)
    folder = offline_models.converted_llama()
    record = json.loads((folder / "complete.json").read_text())
    (folder / "complete.json").write_text(json.dumps({**record, "gguf": "0" * 64}))
    offline_models.converted_llama()
    assert len(ran) == 2


def test_full_disk_is_said_in_one_sentence(monkeypatch, tmp_path):
    fake_conversion(monkeypatch, tmp_path)
    monkeypatch.setattr(offline_models, "NEEDED_BYTES", 10**18)
    with pytest.raises(ModelError, match="the disk is full.*TFORMER_CACHE") as caught:
        offline_models.converted_llama()
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "smollm2").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are a Unix thing")
def test_write_that_fails_half_way_leaves_nothing(tmp_path):
    code = (
        SLOW_CONVERT
        + """
    import resource
    from safetensors import SafetensorError
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
    try:
        models.converted_llama()
    except models.ModelError as error:
        print(error)
    """
    )
    out, err = run_python(code, "0", TFORMER_CACHE=str(tmp_path)).communicate(timeout=60)
    assert "the disk is full" in out and not err
    assert [path.name for path in tmp_path.iterdir()] == ["smollm2.lock"]


def test_cache_that_is_a_file_is_said_plainly(monkeypatch, tmp_path):
    fake_conversion(monkeypatch, tmp_path / "file" / "cache")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelError, match="the folder cannot be written.*TFORMER_CACHE"):
        offline_models.converted_llama()


def test_killed_conversion_leaves_nothing_that_loads(monkeypatch, tmp_path):
    process = run_python(SLOW_CONVERT + "\n    models.converted_llama()", "60", TFORMER_CACHE=str(tmp_path))
    assert process.stdout.readline() == "converting\n"
    deadline = time.monotonic() + 20
    while not list(tmp_path.glob("smollm2.part-*/model.safetensors")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    process.communicate()
    assert list(tmp_path.glob("smollm2.part-*")), "the test did not catch it half-way"
    assert not (tmp_path / "smollm2").exists()
    ran = fake_conversion(monkeypatch, tmp_path)
    assert offline_models.converted_llama().is_dir()
    assert len(ran) == 1
    assert not list(tmp_path.glob("smollm2.part-*"))


def test_two_processes_convert_once(tmp_path):
    code = SLOW_CONVERT + "\n    print(models.converted_llama())"
    processes = [run_python(code, "1.5", TFORMER_CACHE=str(tmp_path)) for _ in range(2)]
    outputs = [process.communicate(timeout=60) for process in processes]
    assert [err for _, err in outputs] == ["", ""]
    assert sum(out.count("converting") for out, _ in outputs) == 1
    assert all(str(tmp_path / "smollm2") in out for out, _ in outputs)


@pytest.mark.slow
@installed
def test_real_conversion_survives_a_kill(tmp_path):
    code = "from tformer_course import offline_models as m; m.converted_llama()"
    process = run_python(code, TFORMER_CACHE=str(tmp_path))
    deadline = time.monotonic() + 300
    while not list(tmp_path.glob("smollm2.part-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)  # in the middle of writing half a gigabyte
    process.kill()
    process.communicate()
    assert not (tmp_path / "smollm2").exists()
    out, err = run_python(code, TFORMER_CACHE=str(tmp_path)).communicate(timeout=300)
    assert "done" in out and not err
    assert offline_models._is_whole(tmp_path / "smollm2")
