"""Models by name: any family from a folder, and a hub that is there, silent, unreachable or does not know the name."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.package.fresh_python import run_python
from tformer_course import pretrained
from tformer_course.offline_models import ModelError


def families() -> dict:
    import transformers as T

    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
    ids = {"vocab_size": 100, "bos_token_id": 1, "eos_token_id": 2}
    return {
        "bert": ("encoder", T.BertConfig(**size, vocab_size=100)),
        "bert masked": ("masked", T.BertConfig(**size, vocab_size=100)),
        "llama": ("causal", T.LlamaConfig(**size, **ids, num_key_value_heads=2)),
        "qwen2": ("causal", T.Qwen2Config(**size, **ids, num_key_value_heads=2)),
        "qwen3": ("causal", T.Qwen3Config(**size, **ids, num_key_value_heads=2, head_dim=8)),
        "gpt2": ("causal", T.GPT2Config(n_embd=32, n_layer=2, n_head=4, **ids)),
        "vit": ("encoder", T.ViTConfig(**size, image_size=32, patch_size=8)),
    }


@pytest.mark.parametrize("family", ["bert", "bert masked", "llama", "qwen2", "qwen3", "gpt2", "vit"])
def test_any_family_loads_from_a_folder_and_shows_its_attention(tmp_path, family):
    import torch
    import transformers

    head, config = families()[family]
    classes = {
        "encoder": transformers.AutoModel,
        "causal": transformers.AutoModelForCausalLM,
        "masked": transformers.AutoModelForMaskedLM,
    }
    with contextlib.redirect_stderr(io.StringIO()):
        made = classes[head].from_config(config)
        made.save_pretrained(tmp_path)
    model, processor = pretrained.load_model(str(tmp_path), head)
    inputs = torch.randn(1, 3, 32, 32) if family == "vit" else torch.tensor([[5, 6, 7, 8]])
    with torch.no_grad():
        output = model(inputs, output_attentions=True)
    length = 17 if family == "vit" else 4
    assert [tuple(layer.shape) for layer in output.attentions] == [(1, 4, length, length)] * 2
    assert processor is None  # none was saved, and none is made up
    assert all(torch.equal(value, made.state_dict()[key]) for key, value in model.state_dict().items())


def test_unknown_head_is_refused():
    with pytest.raises(ValueError, match="causal.*'regression'"):
        pretrained.load_model("bert-base-uncased", "regression")


def test_a_name_that_cannot_be_one_is_refused_at_once():
    with pytest.raises(ModelError, match="neither a folder nor a name"):
        pretrained.load_bert("../models/bert base")


LOAD_BY_NAME = """
    import sys, time
    import huggingface_hub
    from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM  # their import is not to be timed
    from tformer_course.pretrained import ModelError, load_bert
    start = time.monotonic()
    try:
        model, tokenizer = load_bert(sys.argv[1])
        print("loaded", type(model).__name__, type(tokenizer).__name__)
    except ModelError as error:
        print(error)
    print(f"{time.monotonic() - start:.2f}")
"""


def load_by_name(tmp_path: Path, name: str = "some-lab/some-model", **environment: str) -> tuple[str, float, str]:
    """Message, seconds and stderr of loading a hub model in a fresh process."""
    process = run_python(LOAD_BY_NAME, name, HF_HOME=str(tmp_path / "hub"), **environment)
    out, err = process.communicate(timeout=180)
    message, seconds = out.strip().rsplit("\n", 1)
    return message, float(seconds), err


@pytest.mark.slow
@pytest.mark.parametrize(
    "endpoint",
    [
        pytest.param("http://127.0.0.1:9", id="connection refused"),
        pytest.param("http://no-such-host.invalid", id="no name server"),
        pytest.param("silence", id="no answer"),
    ],
)
def test_no_network_is_said_within_seconds(tmp_path, endpoint):
    if endpoint == "silence":  # a server that accepts connections and never says a word
        silent = socket.create_server(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
    message, seconds, err = load_by_name(tmp_path, HF_ENDPOINT=endpoint, HF_HUB_OFFLINE="0")
    assert "hub cannot be reached" in message and "load_bert() and load_llama() with no name" in message
    assert seconds < pretrained.HUB_SECONDS + 4
    assert err == ""


def test_silent_name_server_is_not_waited_for(monkeypatch):
    """A look-up of a name cannot be given a time limit, so the question is asked in a thread."""
    import huggingface_hub

    monkeypatch.setattr(pretrained, "HUB_SECONDS", 0.3)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", lambda self, name, timeout: time.sleep(30))
    start = time.monotonic()
    with pytest.raises(ModelError, match="cannot be reached"):
        pretrained._ask_hub("some-lab/some-model", "it is not on this machine")
    assert time.monotonic() - start < 15


@pytest.mark.slow
def test_offline_mode_is_named(tmp_path):
    message, seconds, err = load_by_name(tmp_path, HF_HUB_OFFLINE="1")
    assert "HF_HUB_OFFLINE is set" in message and "load_bert() and load_llama() with no name" in message
    assert seconds < 4 and err == ""


class Hub(BaseHTTPRequestHandler):
    """As much of a model hub as a download needs, on this machine."""

    files: dict[str, bytes] = {}
    commit = "a" * 40
    requests: list[str] = []

    def do_GET(self, body: bool = True) -> None:
        self.requests.append(self.path)
        if "/resolve/" in self.path:
            content = self.files.get(self.path.rsplit("/", 1)[1])
            kind = "application/octet-stream"
        elif self.path.startswith("/api/models/some-lab/some-model"):
            siblings = [{"rfilename": name} for name in self.files]
            content = json.dumps({"id": "some-lab/some-model", "sha": self.commit, "siblings": siblings}).encode()
            if "/tree/" in self.path:
                content = json.dumps(
                    [{"type": "file", "path": n, "size": len(c), "oid": "0" * 40} for n, c in self.files.items()]
                ).encode()
            kind = "application/json"
        else:
            content, kind = None, "text/plain"
        self.send_response(200 if content is not None else 404)
        if content is None:
            self.send_header("X-Error-Code", "RepoNotFound")
            content = b"{}"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Repo-Commit", self.commit)
        self.send_header("ETag", f'"{hashlib.sha1(content).hexdigest()}"')
        self.end_headers()
        if body:
            self.wfile.write(content)

    def do_HEAD(self) -> None:
        self.do_GET(body=False)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def hub(tmp_path):
    import transformers

    folder = tmp_path / "saved"
    with contextlib.redirect_stderr(io.StringIO()):
        transformers.AutoModel.from_config(families()["bert"][1]).save_pretrained(folder)
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\ncat\n")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "BertTokenizer"}')
    (folder / "pytorch_model.bin").write_bytes(b"a pickle that must not be fetched")
    Hub.files = {path.name: path.read_bytes() for path in folder.iterdir()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_hub_model_is_downloaded_once_and_then_needs_no_network(tmp_path, hub):
    message, _, err = load_by_name(tmp_path, HF_ENDPOINT=hub, HF_HUB_OFFLINE="0")
    assert message == "downloading some-lab/some-model from the hub, once …\nloaded BertModel BertTokenizer"
    assert err == ""
    assert not list((tmp_path / "hub").rglob("*.bin"))
    Hub.requests.clear()
    message, _, err = load_by_name(tmp_path, HF_ENDPOINT=hub, HF_HUB_OFFLINE="0")
    assert (message, err, Hub.requests) == ("loaded BertModel BertTokenizer", "", [])


@pytest.mark.slow
def test_misspelt_hub_model_is_told_from_no_network(tmp_path, hub):
    message, _, err = load_by_name(tmp_path, "some-lab/some-modle", HF_ENDPOINT=hub, HF_HUB_OFFLINE="0")
    assert "no model 'some-lab/some-modle'" in message and err == ""
