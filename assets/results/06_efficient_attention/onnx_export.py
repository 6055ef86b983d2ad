"""A Transformer block as an ONNX file, run by ONNX Runtime at several batches and lengths.

    pip install -c constraints.txt -e ".[onnx]"
    python assets/results/06_efficient_attention/onnx_export.py

Writes onnx_export.json beside this file: the largest difference to torch for each size. Some seconds.
"""

import json
import tempfile
from pathlib import Path

import onnx
import onnxruntime
import torch

from tformer_course.models import TransformerBlock, export_block

SIZES = [(1, 1), (1, 16), (4, 16), (2, 100), (1, 1024)]


def measure(folder: str | Path) -> dict:
    """Exports a block into the folder and compares."""
    torch.manual_seed(0)
    block = TransformerBlock(64, 4, 256).eval()
    path = Path(folder) / "block.onnx"
    export_block(block, path)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    differences = {}
    for batch, length in SIZES:
        x = torch.randn(batch, length, 64, generator=torch.Generator().manual_seed(length))
        (y,) = session.run(None, {"x": x.numpy()})
        with torch.no_grad():
            differences[f"{batch}x{length}"] = float(f"{(torch.from_numpy(y) - block(x)).abs().max():.1e}")
    nodes = {}
    for node in onnx.load(path).graph.node:
        nodes[node.op_type] = nodes.get(node.op_type, 0) + 1
    return {
        "versions": {
            "torch": torch.__version__.split("+")[0],
            "onnx": onnx.__version__,
            "onnxruntime": onnxruntime.__version__,
        },
        "input": [str(s) for s in session.get_inputs()[0].shape],
        "largest difference": differences,
        "nodes": dict(sorted(nodes.items(), key=lambda item: -item[1])),
    }


def main() -> None:
    """Writes the result."""
    with tempfile.TemporaryDirectory() as folder:
        text = json.dumps(measure(folder), indent=1)
    Path(__file__).with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
