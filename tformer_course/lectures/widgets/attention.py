"""Softmax at different temperatures, and a mask that is painted by hand."""

from __future__ import annotations

import math

import ipywidgets
import numpy as np
import torch
from matplotlib.figure import Figure

from tformer_course.lectures.widgets.live import Live, choice, log_slider, tick
from tformer_course.models import (
    attention_entropy,
    causal_mask,
    scaled_dot_product_attention,
    sliding_window_mask,
    softmax_jacobian_norm,
)
from tformer_course.viz.figure import course_style

KEYS = 16
WORDS = ("the", "cat", "that", "slept", "was", "old")


def temperature() -> Live:
    """Width, scale and temperature against saturation: one query's weights over 16 random keys."""
    generator = torch.Generator().manual_seed(1)
    q, k = torch.randn(1024, generator=generator), torch.randn(KEYS, 1024, generator=generator)
    with course_style():
        figure = Figure(figsize=(8.6, 3.9), layout="constrained")
        axes = figure.add_subplot()
        bars = axes.bar(range(KEYS), [0.0] * KEYS, color="#0072B2")
        axes.set(ylim=(0, 1), xlabel="key", ylabel="attention weight")
        axes.set_xticks(range(0, KEYS, 5))
        title = axes.set_title(" ")

    def update(width: float, scaled: bool, temperature: float) -> str:
        d = round(width)
        scores = k[:, :d] @ q[:d] / (math.sqrt(d) if scaled else 1.0) / temperature
        weights = scores.softmax(0)
        for bar, weight in zip(bars, weights.tolist(), strict=True):
            bar.set_height(weight)
        largest, entropy = weights.max().item(), attention_entropy(weights[None])[0].item()
        moves = softmax_jacobian_norm(scores)
        words = f"d = {d}, {'divided by √d' if scaled else 'not divided'}, temperature {temperature:.2g}"
        title.set_text(f"{words}: largest weight {largest:.2f}, entropy {entropy:.2f}, derivative {moves:.2f}")
        return (
            f"{words}. Largest of {KEYS} weights {largest:.2f}, entropy {entropy:.2f}, norm of derivative {moves:.2f}."
        )

    controls = {
        "width": log_slider("width d", 64, 2, 10, 1, base=2),
        "scaled": tick("divide by √d", True),
        "temperature": log_slider("temperature", 1.0, -1, 1, 0.1),
    }
    return Live(figure, [*bars, title], update, controls)


def mask_painter() -> Live:
    """A 6 × 6 mask to paint: each button is one pair, and the weights follow."""
    n = len(WORDS)
    generator = torch.Generator().manual_seed(4)
    q, k, v = (torch.randn(n, 8, generator=generator) for _ in range(3))
    from tformer_course.viz.heatmap import plot_attention

    figure = plot_attention(torch.zeros(n, n), list(WORDS))
    image = figure.axes[0].images[0]
    with course_style():
        title = figure.axes[0].set_title(" ")
    from matplotlib import colormaps

    def update(**pairs: bool) -> str:
        mask = torch.tensor([[pairs[f"pair_{i}_{j}"] for j in range(n)] for i in range(n)])
        weights = scaled_dot_product_attention(q, k, v, mask)[1]
        picture = colormaps["viridis"](np.rint(weights.numpy() * 255).astype(int), bytes=True)
        picture[~mask.numpy()] = (190, 190, 190, 255)
        image.set_data(picture)
        empty = [WORDS[i] for i in range(n) if not mask[i].any()]
        title.set_text(
            f"{int(mask.sum())} of {n * n} pairs" + (f"; {', '.join(empty)}: nothing to read" if empty else "")
        )
        top = "; ".join(f"{WORDS[i]} reads {WORDS[int(weights[i].argmax())]} most" for i in range(n) if mask[i].any())
        return f"{int(mask.sum())} of {n * n} pairs allowed; grey is forbidden. {top}." + (
            f" Rows of zeros, not NaN: {', '.join(empty)}." if empty else ""
        )

    start = causal_mask(n)
    buttons = {
        f"pair_{i}_{j}": ipywidgets.ToggleButton(
            value=bool(start[i, j]),
            description="✓" if start[i, j] else "×",
            tooltip=f"{WORDS[i]} may read {WORDS[j]}",
            layout=ipywidgets.Layout(width="44px", height="34px"),
        )
        for i in range(n)
        for j in range(n)
    }
    for button in buttons.values():
        button.observe(lambda change: setattr(change["owner"], "description", "✓" if change["new"] else "×"), "value")
    patterns = {
        "causal": start,
        "none (encoder)": torch.ones(n, n, dtype=torch.bool),
        "window of 2": sliding_window_mask(n, 2),
        "last two are padding": torch.tensor([[True] * 4 + [False] * 2] * n),
        "diagonal alone": torch.eye(n).bool(),
    }
    pick = choice("start from", list(patterns), "causal")
    grid = ipywidgets.GridBox(
        list(buttons.values()), layout=ipywidgets.Layout(grid_template_columns=f"repeat({n}, 48px)")
    )
    live = Live(figure, [image, title], update, buttons, ipywidgets.VBox([pick, grid]))

    def choose(change: dict) -> None:
        shown, live._shown = live._shown, None  # one picture at the end, not one per button
        for i in range(n):
            for j in range(n):
                buttons[f"pair_{i}_{j}"].value = bool(patterns[change["new"]][i, j])
        live._shown = shown
        live._changed(change)

    pick.observe(choose, names="value")
    live.pick = pick
    return live
