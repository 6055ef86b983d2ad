"""Heat maps: attention weights of one head or of all layers in one image, and any other matrix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from tformer_course.viz.figure import SCREEN_DPI, course_style
from tformer_course.viz.weights import as_array, as_layers, label_text, resolve_tokens

MAX_LABELLED = 24  # tokens; with more, the labels of one axis would touch
MAX_WIDTH = 11.5  # inches of 100 pixels: the width of a notebook's output on a 1280-pixel screen
MAX_HEIGHT = 14.0  # inches for the panels of all layers together
LABEL_PITCH = 0.17  # inches between two labels of 10 points


def plot_attention(
    weights: Any,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    *,
    titles: Sequence[str] | None = None,
    title: str | None = None,
    alt: str | None = None,
) -> Figure:
    """Draw attention weights: a row is a query, a column a key, on one fixed scale from 0 to 1.

    All heads share one image and one colour bar, so that a colour means the same weight everywhere.

    Args:
        weights: one head `(T, S)`, several heads `(H, T, S)`, layers and heads `(L, H, T, S)`, or the tuple of
            `(1, H, T, S)` tensors that a transformers model returns.
        tokens: T strings for the rows (and the columns where T = S); drawn where they fit. Any text is safe.
        key_tokens: S strings for the columns, for cross-attention.
        titles: one per head for `(T, S)` and `(H, T, S)`, one per layer for `(L, H, T, S)`.
        title: one line over the whole figure.
        alt: alternative text, kept with the figure for `show`.

    Returns:
        The figure; `show(figure, alt=…)` displays it.

    Raises:
        ValueError: a shape or the number of tokens or titles does not fit (both numbers are named), or a weight is NaN
            or outside 0 to 1.
    """
    layers = as_layers(weights)  # (L, H, T, S)
    num_layers, num_heads, num_queries, num_keys = layers.shape
    many_layers = num_layers > 1
    queries, keys = resolve_tokens(tokens, key_tokens, num_queries, num_keys)
    if titles is not None and len(titles) != (num_layers if many_layers else num_heads):
        expected = f"{num_layers} layers" if many_layers else f"{num_heads} heads"
        raise ValueError(f"{len(titles)} titles for {expected}")

    panels = layers.reshape(-1, num_queries, num_keys)
    columns = num_heads if many_layers else _columns(num_heads)
    rows = math.ceil(len(panels) / columns)
    labelled = (queries is not None or keys is not None) and max(num_queries, num_keys) <= MAX_LABELLED
    width, height, labelled = _panel_size(rows, columns, num_queries, num_keys, labelled)
    gap = max(1, round(0.06 * max(num_queries, num_keys)))  # empty cells between panels
    titled = not many_layers and num_heads > 1
    gap_rows = max(gap, math.ceil(0.3 * num_queries / height)) if titled else gap  # 0.3 inches over each panel

    with course_style():
        size = (min(columns * width + 2.0, MAX_WIDTH), max(rows * height * 1.04 + 1.3, 2.4))
        figure = Figure(figsize=size, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.08))
        axes = figure.add_subplot()
        axes.imshow(_mosaic(panels, rows, columns, gap_rows, gap))
        _colour_bar(
            axes, ScalarMappable(Normalize(0, 1), "viridis"), "attention weight", columns * width, rows * height
        )
        step_y, step_x = num_queries + gap_rows, num_keys + gap
        if many_layers:
            names = titles or [f"layer {index}" for index in range(num_layers)]
            _ticks(axes, "y", [row * step_y + (num_queries - 1) / 2 for row in range(rows)], names)
            short = "head {}" if width >= 0.7 else "{}"
            _ticks(
                axes,
                "x",
                [column * step_x + (num_keys - 1) / 2 for column in range(columns)],
                [short.format(index) for index in range(columns)],
            )
            axes.xaxis.tick_top()
            axes.tick_params(length=0)
        else:
            names = titles or ([f"head {index}" for index in range(num_heads)] if num_heads > 1 else None)
            for index, name in enumerate(names or []):
                x, y = (index % columns) * step_x - 0.5, (index // columns) * step_y - 0.7
                axes.text(x, y, label_text(name, 60), fontsize=11, va="bottom", parse_math=False, clip_on=False)
            _token_ticks(axes, "y", queries if labelled else None, num_queries, rows, step_y)
            _token_ticks(axes, "x", keys if labelled else None, num_keys, columns, step_x)
        several = len(panels) > 1
        axes.set_xlabel("key (attended to)" if not several else "in each panel: column = key, row = query", fontsize=11)
        axes.set_ylabel("query (attends)" if not many_layers else "", fontsize=11)
        axes.spines[:].set_visible(False)
        if title:
            figure.suptitle(label_text(title, 200), parse_math=False, fontsize=12)
    figure.alt_text = alt
    if panels.size > 100_000:  # more pixels than cells would cost a second and show nothing new
        figure.png_dpi = SCREEN_DPI
    return figure


def plot_matrix(
    matrix: Any,
    row_labels: Sequence[str] | None = None,
    column_labels: Sequence[str] | None = None,
    *,
    title: str | None = None,
    xlabel: str = "",
    ylabel: str = "",
    label: str = "value",
    signed: bool | None = None,
    annotate: bool | None = None,
    alt: str | None = None,
) -> Figure:
    """Draw a matrix that is not attention: scores, gradients, correlations, results per layer and head.

    Args:
        matrix: `(rows, columns)`; infinite entries (masked scores) are drawn grey.
        row_labels, column_labels: one string per row and column.
        title, xlabel, ylabel, label: texts of the figure, its axes and its colour bar.
        signed: a diverging map centred on 0; None decides by whether an entry is negative.
        annotate: write each value into its cell; None does so where there is room.
        alt: alternative text, kept with the figure for `show`.

    Raises:
        ValueError: not a matrix, NaN in it, nothing finite, or a number of labels that does not fit.
    """
    values = as_array(matrix)
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"a matrix has 2 axes and at least one entry; got {values.ndim} axes, shape {values.shape}")
    if np.isnan(values).any():
        raise ValueError(f"{int(np.isnan(values).sum())} of {values.size} entries are NaN")
    finite = np.isfinite(values)
    if not finite.any():
        raise ValueError(f"none of the {values.size} entries is finite")
    for labels, count, axis in ((row_labels, values.shape[0], "row"), (column_labels, values.shape[1], "column")):
        if labels is not None and len(labels) != count:
            raise ValueError(f"{len(labels)} {axis} labels for {count} {axis}s")
    low, high = float(values[finite].min()), float(values[finite].max())
    if signed is None:
        signed = low < 0
    bound = max(abs(low), abs(high)) or 1.0
    vmin, vmax = (-bound, bound) if signed else (low, high if high > low else low + 1)
    rows, columns = values.shape
    if annotate is None:
        annotate = rows <= 16 and columns <= 16
    # A number needs half an inch; without numbers a cell may be small.
    cell = 0.55 if annotate else min(0.3, 7.0 / max(rows, columns))
    with course_style():
        size = (min(max(columns * cell, 3.0) + 2.2, MAX_WIDTH), max(rows * cell * 0.8, 2.2) + 1.3)
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.add_subplot()
        axes.set_facecolor("0.75")
        image = axes.imshow(
            np.where(finite, values, np.nan),
            cmap="RdBu_r" if signed else "viridis",
            vmin=vmin,
            vmax=vmax,
            aspect="auto" if annotate else "equal",
            interpolation_stage="rgba",
        )
        _colour_bar(axes, image, label, columns * cell, rows * cell)
        if annotate:
            for (row, column), value in np.ndenumerate(values):
                red, green, blue, _ = image.to_rgba(value) if np.isfinite(value) else (0.75, 0.75, 0.75, 1)
                dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.55
                text = f"{value:.2g}" if np.isfinite(value) else ("−∞" if value < 0 else "∞")
                axes.text(column, row, text, ha="center", va="center", color="white" if dark else "black", fontsize=10)
        _matrix_ticks(axes, "y", row_labels, rows)
        _matrix_ticks(axes, "x", column_labels, columns)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        axes.spines[:].set_visible(False)
        if title:
            axes.set_title(label_text(title, 200), parse_math=False)
    figure.alt_text = alt
    return figure


def _columns(num_heads: int) -> int:
    """Panels side by side for one layer's heads: a single row up to 4, else a nearly square grid at most 6 wide."""
    if num_heads <= 4:
        return num_heads
    return min(6, math.ceil(math.sqrt(num_heads * 1.3)))


def _panel_size(rows: int, columns: int, num_queries: int, num_keys: int, labelled: bool) -> tuple[float, float, bool]:
    """Width and height of a panel in inches, and whether its tokens can still be labelled."""
    room = (MAX_WIDTH - 2.0) / columns
    side = min(4.4 if rows * columns == 1 else 2.6, room, MAX_HEIGHT / rows)
    cell = side / max(num_queries, num_keys)
    if labelled and cell < LABEL_PITCH:
        labelled = LABEL_PITCH * num_keys <= room and LABEL_PITCH * num_queries * rows <= MAX_HEIGHT
        cell = LABEL_PITCH if labelled else cell
    elif labelled:
        cell = min(cell, 0.5)
    # A very long and narrow matrix still needs a visible width.
    return max(cell * num_keys, 0.35), max(cell * num_queries, 0.35), labelled


def _mosaic(panels: np.ndarray, rows: int, columns: int, gap_rows: int, gap: int) -> np.ndarray:
    """Put `(P, T, S)` panels into one RGBA image, row by row, with white gaps.

    Colours are looked up here, once: leaving it to imshow costs four passes in floating point at every drawing.
    """
    _, height, width = panels.shape
    palette = colormaps["viridis"](np.arange(256), bytes=True)  # (256, 4)
    shape = (rows * (height + gap_rows) - gap_rows, columns * (width + gap) - gap, 4)
    mosaic = np.full(shape, 255, dtype=np.uint8)
    levels = np.rint(np.clip(panels, 0, 1) * 255).astype(np.uint8)  # (P, T, S)
    for index, panel in enumerate(levels):
        top, left = index // columns * (height + gap_rows), index % columns * (width + gap)
        mosaic[top : top + height, left : left + width] = palette[panel]
    return mosaic


def _colour_bar(axes: Axes, colours: ScalarMappable, label: str, width: float, height: float) -> None:
    """One colour bar as high as the image, and at least an inch, beside an image of that many inches."""
    tall = max(1.0, 1.2 / height)
    place = axes.inset_axes((1 + 0.15 / width, 0.5 - tall / 2, 0.18 / width, tall))
    axes.figure.colorbar(colours, cax=place, label=label)


def _ticks(axes: Axes, axis: str, positions: Sequence[float], labels: Sequence[Any], **text: Any) -> None:
    """Set ticks with labels that are never read as mathematics."""
    set_ticks = axes.set_xticks if axis == "x" else axes.set_yticks
    set_ticks(positions, [label_text(label) for label in labels], parse_math=False, **text)


def _token_ticks(axes: Axes, axis: str, tokens: list[str] | None, count: int, panels: int, step: int) -> None:
    """Label an axis with the tokens of each panel, or with a few positions where there are none or too many."""
    if tokens is not None:
        shown = list(range(count))
        labels: Sequence[Any] = tokens
    else:
        every = max(1, math.ceil(count / (8 if panels <= 3 else 3) / 4) * 4 if count > 8 else 1)
        shown = list(range(0, count, every))
        labels = shown
    positions = [panel * step + index for panel in range(panels) for index in shown]
    rotated = {"rotation": 90} if axis == "x" and tokens is not None else {}
    _ticks(axes, axis, positions, list(labels) * panels, **rotated)


def _matrix_ticks(axes: Axes, axis: str, labels: Sequence[str] | None, count: int) -> None:
    """Label all rows or columns, or every few where there are more than fit."""
    every = 1 if count <= MAX_LABELLED else math.ceil(count / 8)
    shown = list(range(0, count, every))
    names = [labels[index] for index in shown] if labels is not None else shown
    longest = max(len(str(name)) for name in names)
    _ticks(axes, axis, shown, names, **({"rotation": 90} if axis == "x" and longest > 4 else {}))
