"""export_block: the file runs in ONNX Runtime, and its check judges alike where the ONNX packages are missing."""

import sys
from pathlib import Path

import pytest
import torch

from tests.package.draws import normal
from tformer_course.checks.core.exercise import look
from tformer_course.checks.efficient_attention import exported
from tformer_course.models import TransformerBlock
from tformer_course.models import efficient_attention as E


@pytest.mark.slow
@pytest.mark.skipif(bool(E.onnx_missing()), reason=f"not installed: {', '.join(E.onnx_missing())}")
def test_an_exported_block_runs_in_onnx_runtime_at_any_batch_and_length(tmp_path):
    import onnxruntime

    torch.manual_seed(0)
    block = TransformerBlock(16, 4, 32, drop_path=0.5)
    E.export_block(block, tmp_path / "block.onnx")
    assert block.training, "the block is left as it was"
    session = onnxruntime.InferenceSession(tmp_path / "block.onnx", providers=["CPUExecutionProvider"])
    for shape in ((1, 1, 16), (2, 3, 16), (1, 200, 16), (5, 7, 16)):
        x = normal(*shape, dtype=torch.float32)
        (y,) = session.run(None, {"x": x.numpy()})
        torch.testing.assert_close(torch.from_numpy(y), block.eval()(x).detach(), rtol=1e-4, atol=1e-5)
        block.train()


EXPORTS = sorted((Path(__file__).parents[1] / "answers/06_efficient_attention/right").glob("export_block__*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("path", EXPORTS, ids=lambda path: path.stem)
def test_a_right_export_is_right_where_the_onnx_packages_are_missing(path, monkeypatch):
    """Also where it looks at its own file: a missing package is no mistake of the answer's."""
    names = ["onnx", "onnxruntime", "onnxscript"]
    monkeypatch.setattr(E, "onnx_missing", lambda: list(names))
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)
    namespace = {"torch": torch, "nn": torch.nn}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace)
    answer = namespace["export_block"]
    assert look(exported.EXPORT_BLOCK, answer)[0] == "✓"
    weights, inputs = normal(131, dtype=torch.float32), [normal(2, 7, 8, dtype=torch.float32)]
    (mine,) = exported.in_onnx_runtime(answer, exported.small_block(weights), inputs)
    torch.testing.assert_close(mine, exported.block_outputs(weights, inputs)[0])
    assert all(sys.modules[name] is None for name in names), "the stand-ins are gone"


@pytest.mark.slow
def test_a_wrong_export_stays_wrong_where_the_onnx_packages_are_missing(monkeypatch):
    monkeypatch.setattr(E, "onnx_missing", lambda: ["onnx", "onnxruntime", "onnxscript"])

    def writes_something_else(block, path):
        Path(path).write_bytes(b"no graph")

    def stops_before_the_export(block, path):
        raise ValueError("too early")

    assert look(exported.EXPORT_BLOCK, writes_something_else)[0] == "✗"
    assert look(exported.EXPORT_BLOCK, stops_before_the_export)[0] == "✗"
