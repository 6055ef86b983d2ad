"""What every picture of attention needs: the weights as one checked array, and tokens as text that is safe to draw."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

# Families tried in this order for a character; the first is matplotlib's own, the others are used where installed.
FONT_FAMILIES = (
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "SimHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Arial Unicode MS",
    "Noto Emoji",
    "Segoe UI Symbol",
)


def as_array(values: Any) -> np.ndarray:
    """Turn a tensor (with or without gradient, any device), an array or nested lists into a NumPy array."""
    if hasattr(values, "detach"):  # a torch tensor; bfloat16 has no NumPy type, so widen first
        values = values.detach().cpu().double().numpy()
    return np.asarray(values, dtype=np.float64)


def as_layers(weights: Any) -> np.ndarray:
    """Bring attention weights into one form, `(L, H, T, S)`, and refuse what is not attention.

    Args:
        weights: one head `(T, S)`, one layer `(H, T, S)`, all layers `(L, H, T, S)`, the same with a batch axis of
            size 1 after the layers `(L, 1, H, T, S)`, or a list with one `(1, H, T, S)` or `(H, T, S)` per layer, as a
            transformers model returns it. T queries (rows), S keys (columns).

    Returns:
        float64 array `(L, H, T, S)`.

    Raises:
        ValueError: the shape is none of these, a layer is missing or differs, the batch holds more than one sample, or
            a weight is NaN, negative or above 1.
    """
    if isinstance(weights, list | tuple) and len(weights) > 0 and hasattr(weights[0], "shape"):
        weights = _stack(weights)
    elif isinstance(weights, list | tuple) and any(layer is None for layer in weights):
        raise ValueError("a layer has no weights (None): load the model with attn_implementation='eager'")
    array = as_array(weights)
    if array.ndim == 5:
        if array.shape[1] != 1:
            raise ValueError(f"one sample at a time: the batch axis of {array.shape} has {array.shape[1]}, expected 1")
        array = array[:, 0]
    if not 2 <= array.ndim <= 4:
        raise ValueError(f"attention weights have 2 to 4 axes (L, H, T, S); got {array.ndim}, shape {array.shape}")
    if 0 in array.shape:
        raise ValueError(f"attention weights are empty: shape {array.shape}")
    array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    nan = int(np.isnan(array).sum())
    if nan:
        raise ValueError(
            f"{nan} of {array.size} attention weights are NaN: a row that may attend to nothing should hold zeros"
        )
    low, high = float(array.min()), float(array.max())
    if low < -1e-4 or high > 1 + 1e-4:
        raise ValueError(
            f"attention weights lie between 0 and 1; these run from {low:.3g} to {high:.3g} (plot_matrix draws others)"
        )
    return array


def _stack(layers: Sequence[Any]) -> np.ndarray:
    """Stack one array per layer into `(L, H, T, S)`; each may have a batch axis of size 1."""
    arrays = []
    for index, layer in enumerate(layers):
        if layer is None:
            raise ValueError(f"layer {index} has no weights (None): load the model with attn_implementation='eager'")
        array = as_array(layer)
        if array.ndim == 4 and array.shape[0] != 1:
            raise ValueError(f"one sample at a time: layer {index} has a batch of {array.shape[0]}, expected 1")
        array = array[0] if array.ndim == 4 else array
        if arrays and array.shape != arrays[0].shape:
            raise ValueError(f"layers differ in shape: layer 0 has {arrays[0].shape}, layer {index} has {array.shape}")
        arrays.append(array)
    return np.stack(arrays)


def check_tokens(tokens: Sequence[Any] | None, count: int, what: str) -> list[str] | None:
    """Return the tokens as a list of strings, or None; ValueError where there are not `count` of them."""
    if tokens is None:
        return None
    if isinstance(tokens, str):
        raise ValueError(f"{what} must be a list with one string per token, not one string of {len(tokens)} characters")
    tokens = [str(token) for token in tokens]
    if len(tokens) != count:
        raise ValueError(f"{len(tokens)} {what} for {count} {'rows' if what == 'tokens' else 'columns'} of weights")
    return tokens


def resolve_tokens(
    tokens: Sequence[Any] | None, key_tokens: Sequence[Any] | None, num_queries: int, num_keys: int
) -> tuple[list[str] | None, list[str] | None]:
    """Tokens of the rows and of the columns; in self-attention (T = S) one list serves both."""
    queries = check_tokens(tokens, num_queries, "tokens")
    if key_tokens is None and num_queries == num_keys:
        return queries, queries
    return queries, check_tokens(key_tokens, num_keys, "key_tokens")


@lru_cache(maxsize=1)
def font_families() -> tuple[str, ...]:
    """Those of FONT_FAMILIES that are installed here."""
    from matplotlib import font_manager

    installed = {entry.name for entry in font_manager.fontManager.ttflist}
    return tuple(name for name in FONT_FAMILIES if name in installed)


@lru_cache(maxsize=1)
def _drawable() -> frozenset[int]:
    """Code points for which one of the installed families has a glyph."""
    from matplotlib import font_manager

    points: set[int] = set()
    for name in font_families():
        points.update(font_manager.get_font(font_manager.findfont(name)).get_charmap())
    return frozenset(points)


def label_text(text: Any, limit: int = 14) -> str:
    """Make untrusted text drawable: no glyph that would warn, no invisible or direction-changing character.

    A character without a glyph, a control character or a zero-width one becomes its Python escape, so that nothing is
    hidden; a text longer than `limit` ends in an ellipsis.

    >>> label_text("a\\n\\u200b")
    'a\\\\n\\\\u200b'
    """
    pieces, length = [], 0
    for character in str(text):
        visible = unicodedata.category(character) not in {"Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp", "Mn", "Me"}
        if not (visible and ord(character) in _drawable()):
            character = character.encode("unicode_escape").decode("ascii")
        if length + len(character) > limit:
            pieces.append("…")
            break
        pieces.append(character)
        length += len(character)
    return "".join(pieces)
