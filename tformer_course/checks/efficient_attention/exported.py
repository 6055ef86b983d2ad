"""export_block: judged by what the exported graph computes."""

from __future__ import annotations

import contextlib
import io
import logging
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn

from ...models import TransformerBlock
from ...models import efficient_attention as reference
from ..core.exercise import Case, Exercise, Mistake
from .recording import Graph, missing_packages_accept, recording


def _export_as_graph(export_block: Callable, block: nn.Module) -> tuple[Graph, bool, Callable | None]:
    """The recorded export, whether a file is there, and a function that runs it (None where torch made no graph)."""
    graph = Graph()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "block.onnx"
        try:
            with recording(graph), missing_packages_accept():
                export_block(block, str(path))
        except (NameError, NotImplementedError):
            raise
        except Exception:
            # An answer may run its file after the export; here the file is none, so that must fail.
            if graph.program is None or not path.exists():
                raise
        written = path.exists()
        if graph.program is None and written and not reference.onnx_missing():  # another road to ONNX
            return graph, True, _session(path)
    return graph, written, graph.run if graph.program is not None else None


def graph_of(export_block: Callable, block: nn.Module, inputs: list[Tensor]) -> list[Tensor | str]:
    """What the graph of an export returns for each input; a few words where it does not run, or no file is there."""
    _, written, run = _export_as_graph(export_block, block)
    if not written or run is None:
        return [_no_graph(written)] * len(inputs)
    return [_attempt(lambda x=x: run(x)) for x in inputs]


def _no_graph(written: bool) -> str:
    if not written:
        return "no file was written"
    return "there is a file, but torch.onnx.export did not write it, and ONNX Runtime is not here to run it"


def graph_in_words(export_block: Callable, block: nn.Module, pool: Tensor) -> dict[str, str]:
    """How the exported graph does at sizes that are not those of the answer's example, in words."""
    graph, written, run = _export_as_graph(export_block, block)
    batch, length = graph.example[:2] if len(graph.example) == 3 else (2, 3)
    said = {}
    for name, more in (("another length", (0, 9)), ("another batch", (5, 0)), ("both", (5, 9))):
        shape = (batch + more[0], length + more[1], 8)
        x = pool[torch.arange(shape[0] * shape[1] * 8) % pool.numel()].view(shape)
        with torch.no_grad():
            right = block(x)
        mine = _attempt(lambda x=x: run(x)) if written and run is not None else _no_graph(written)
        if isinstance(mine, Tensor):
            close = mine.shape == right.shape and torch.allclose(mine, right, rtol=1e-3, atol=1e-4)
            mine = "as in torch" if close else "other values" if mine.shape == right.shape else "another shape"
        said[name] = mine
    return said


def _session(path: Path) -> Callable[[Tensor], Tensor]:
    """A function that runs an ONNX file on one input."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    name = session.get_inputs()[0].name
    return lambda x: torch.from_numpy(session.run(None, {name: x.numpy()})[0])


def run_file(path: Path, inputs: list[Tensor]) -> list[Tensor | str]:
    """What ONNX Runtime returns for each input."""
    if not Path(path).exists():
        return ["no file was written"] * len(inputs)
    run = _session(path)
    return [_attempt(lambda x=x: run(x)) for x in inputs]


def in_onnx_runtime(export_block: Callable, block: nn.Module, inputs: list[Tensor]) -> list[Tensor | str]:
    """As `graph_of`, with the real exporter and ONNX Runtime where they are installed."""
    if reference.onnx_missing():
        return graph_of(export_block, block, inputs)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        path = Path(folder) / "block.onnx"
        export_block(block, str(path))
        return run_file(path, inputs)


def _attempt(call: Callable[[], Tensor]) -> Tensor | str:
    try:
        out = call()
    except Exception:
        return "it does not run at this size"
    out = out[0] if isinstance(out, tuple | list) else out
    return out.detach() if isinstance(out, Tensor) else f"a {type(out).__name__}"


def small_block(weights: Tensor, heads: int = 2) -> nn.Module:
    """A TransformerBlock in evaluation whose parameters are cut from one vector."""
    block = TransformerBlock(8, heads, 12).eval()
    given = weights.detach().flatten()
    start = 0
    with torch.no_grad():
        for p in block.parameters():
            p.copy_(0.3 * given[torch.arange(start, start + p.numel()) % given.numel()].view_as(p))
            start += p.numel()
    return block


def block_outputs(weights: Tensor, inputs: list[Tensor], heads: int = 2) -> list[Tensor]:
    """What the same block gives in torch."""
    with torch.no_grad():
        return [small_block(weights, heads)(x) for x in inputs]


def _checked(answer: Callable, weights: Tensor, pool: Tensor) -> dict[str, str]:
    return graph_in_words(answer, small_block(weights), pool)


def _export(
    batch: bool = True, length: bool = True, write: bool = True, of: Callable = lambda block: block
) -> Callable:
    def export_block(block, path):
        example = torch.randn(2, 3, next(block.parameters()).shape[-1])
        sizes = {axis: torch.export.Dim.DYNAMIC for axis, free in ((0, batch), (1, length)) if free}
        target = path if write else None
        torch.onnx.export(of(block).eval(), (example,), target, dynamic_shapes=(sizes,), dynamo=True)

    return export_block


class _Only(nn.Module):
    """A part of the block."""

    def __init__(self, block: nn.Module, part: str) -> None:
        super().__init__()
        self.block, self.part = block, part

    def forward(self, x: Tensor) -> Tensor:
        """The part's output."""
        if self.part == "attention":
            return x + self.block.attn(self.block.norm1(x))
        return self.block(x)[:, -1:]


EXPORT_BLOCK = Exercise(
    name="export_block",
    points=0.5,
    reference=reference.export_block,
    cases=(
        Case(
            "the graph at another batch and length",
            lambda draw: [draw.normal(97, dtype=torch.float32), draw.normal(301, dtype=torch.float32)],
            lambda *_: dict.fromkeys(("another length", "another batch", "both"), "as in torch"),
            call=_checked,
            limit=20.0,
        ),
    ),
    mistakes=(
        Mistake(
            "fixed_length",
            "your graph runs at the example's length only. Which axis must be declared dynamic as well?",
            _export(length=False),
        ),
        Mistake(
            "fixed_batch",
            "your graph runs at the example's batch only. Which axis must be declared dynamic as well?",
            _export(batch=False),
        ),
        Mistake(
            "fixed_sizes",
            "your graph runs at the example's batch and length only. Which argument of torch.onnx.export frees them?",
            _export(batch=False, length=False),
        ),
        Mistake(
            "no_file",
            "there is no file at path. Which argument tells the exporter where to write?",
            _export(write=False),
        ),
        Mistake(
            "attention_only",
            "your graph lacks the feed-forward half of the block. Which module must be exported?",
            _export(of=lambda block: _Only(block, "attention")),
        ),
        Mistake(
            "last_token_only",
            "your graph returns the last position only. Which shape does the docstring ask for?",
            _export(of=lambda block: _Only(block, "last")),
        ),
    ),
)
