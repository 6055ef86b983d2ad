"""The attention explorer: one HTML output that is a picture first and, where scripts may run, a tool.

The picture with its alternative text is what an untrusted notebook keeps. The script (`attention.js`) replaces it by
sliders, a heat map that is read by mouse or keyboard, and lines between tokens. Everything travels inside the output:
it works live, after reopening without a kernel, in an exported page, and without a network.
"""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from PIL import Image

from tformer_course.viz.figure import SCREEN_DPI, image_html, png_bytes
from tformer_course.viz.heatmap import plot_attention
from tformer_course.viz.weights import as_layers, resolve_tokens

HERE = Path(__file__).parent


def explore_attention(
    attentions: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    alt: str,
    layer: int = 0,
    head: int = 0,
) -> None:
    """Display attention weights of all layers and heads to be explored.

    Args:
        attentions: as for `plot_attention`: `(T, S)`, `(H, T, S)`, `(L, H, T, S)`, or a transformers model's tuple of
            `(1, H, T, S)`.
        tokens: T strings for the queries; None counts them. Any text is safe.
        key_tokens: S strings for the keys, for cross-attention.
        alt: what there is to see, for those who get the picture only.
        layer, head: the ones that are shown first, and in the picture.

    Raises:
        ValueError: as `plot_attention`; or there is no alternative text, or no such layer or head.
    """
    from IPython.display import display

    page = explorer_html(attentions, tokens, key_tokens, alt=alt, layer=layer, head=head)
    display({"text/html": page, "text/plain": alt.strip()}, raw=True)


def explorer_html(
    attentions: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    alt: str,
    layer: int = 0,
    head: int = 0,
) -> str:
    """The HTML that `explore_attention` displays; arguments and errors are the same."""
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"explore_attention needs alt=…, a sentence that says what there is to see; got {alt!r}")
    weights = as_layers(attentions)  # (L, H, T, S)
    num_layers, num_heads, num_queries, num_keys = weights.shape
    for name, index, size in (("layer", layer, num_layers), ("head", head, num_heads)):
        if not 0 <= index < size:
            raise ValueError(f"{name} {index} of {size}: expected 0 to {size - 1}")
    queries, keys = resolve_tokens(tokens, key_tokens, num_queries, num_keys)
    levels = np.rint(np.clip(weights, 0, 1) * 255).astype(np.uint8)  # (L, H, T, S)
    data = {
        "layers": num_layers,
        "heads": num_heads,
        "queries": queries if queries is not None else [str(index) for index in range(num_queries)],
        "keys": keys if keys is not None else [str(index) for index in range(num_keys)],
        "layer": layer,
        "head": head,
        "weights": _base64(zlib.compress(levels.tobytes())),
        "palette": _base64(colormaps["viridis"](np.arange(256), bytes=True)[:, :3].tobytes()),
        "style": (HERE / "attention.css").read_text(encoding="utf-8"),
    }
    figure = plot_attention(weights[layer, head], queries, keys, title=f"layer {layer}, head {head}")
    picture = image_html(_small_png(png_bytes(figure, SCREEN_DPI)), alt, round(figure.get_figwidth() * SCREEN_DPI))
    script = (HERE / "attention.js").read_text(encoding="utf-8")
    # currentScript finds the right host even where the same output is on the page twice.
    call = f"({script})(document.currentScript.parentElement, {_script_json(data)});"
    return f'<div class="tformer-explorer">{picture}<script>{call}</script></div>'


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _script_json(data: dict[str, Any]) -> str:
    """JSON that cannot end the script element it stands in: no `<`, and nothing but ASCII."""
    return json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")


def _small_png(png: bytes) -> bytes:
    """The same picture with a palette of 128 colours: a third of the bytes."""
    buffer = io.BytesIO()
    Image.open(io.BytesIO(png)).quantize(128, dither=Image.Dither.NONE).save(buffer, format="png", optimize=True)
    return buffer.getvalue()
