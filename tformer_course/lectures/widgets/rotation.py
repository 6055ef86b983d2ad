"""RoPE: how the score of a query and a key depends on their distance, the base and the width."""

from __future__ import annotations

import math

from matplotlib.figure import Figure

from tformer_course.lectures.widgets.live import Live, choice, log_slider, slider
from tformer_course.models import rotary_tables
from tformer_course.viz.figure import course_style

FAR = 1024


def rope_distance() -> Live:
    """Base, width and distance: the mean of cos(distance · ω_i), which is the score of two equal vectors."""
    with course_style():
        figure = Figure(figsize=(8.6, 3.9), layout="constrained")
        axes = figure.add_subplot()
        (line,) = axes.plot(range(FAR), [0.0] * FAR, color="#0072B2", linewidth=1.4)
        (point,) = axes.plot([0], [1], "o", color="#D55E00", markersize=10)
        axes.set(xlim=(-8, FAR), ylim=(-0.6, 1.08), xlabel="distance m − n", ylabel="score, 1 at distance 0")
        axes.grid(True, color="0.9")
        title = axes.set_title(" ")

    def update(base: float, width: int, distance: int) -> str:
        cos, _ = rotary_tables(FAR, width, base)
        score = cos[:, : width // 2].mean(dim=1)  # q = k = ones
        line.set_ydata(score.numpy())
        point.set_data([distance], [score[distance].item()])
        slowest = distance * base ** (-(width - 2) / width)
        title.set_text(
            f"base {base:,.0f}, width {width}: {score[distance].item():.2f} at distance {distance}; "
            f"slowest pair has turned {math.degrees(slowest):.1f}°"
        )
        far = score[FAR // 2 :].mean().item()
        return (
            f"Score against distance for base {base:,.0f} and width {width}: 1 at 0, {score[distance].item():.2f} at "
            f"{distance}, {far:.2f} on average beyond {FAR // 2}. The slowest pair has turned by "
            f"{math.degrees(slowest):.1f} degrees at {distance}."
        )

    controls = {
        "base": log_slider("base θ", 10_000.0, 1, 6, 0.25),
        "width": choice("head width", [8, 16, 32, 64, 128], 64),
        "distance": slider("distance", 64, 0, FAR - 1, 1),
    }
    return Live(figure, [line, point, title], update, controls)
