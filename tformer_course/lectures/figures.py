"""Bar charts for the demos, in the look of the course's other figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from tformer_course.viz.curves import COLOURS
from tformer_course.viz.figure import course_style

HATCHES = ("", "//", "..", "xx")


def plot_bars(
    labels: Sequence[str],
    bars: Mapping[str, Sequence[float]],
    *,
    ylabel: str = "",
    title: str = "",
    log_y: bool = False,
    form: str = "{:.2g}",
) -> Figure:
    """Draw groups of bars, told apart by hatching as well as by colour, with values above them where there is room.

    Args:
        labels: One per group.
        bars: Name → one value per group.
        ylabel, title: Texts.
        log_y: Logarithmic axis.
        form: How a value is written.

    Raises:
        ValueError: For a number of values that is not the number of labels.
    """
    for name, values in bars.items():
        if len(values) != len(labels):
            raise ValueError(f"{name!r} has {len(values)} values for {len(labels)} labels")
    with course_style():
        figure = Figure(figsize=(7.5, 4.5), layout="constrained")
        axes = figure.add_subplot()
        places, width = np.arange(len(labels)), 0.8 / len(bars)
        for index, (name, values) in enumerate(bars.items()):
            at = places + (index - (len(bars) - 1) / 2) * width
            drawn = axes.bar(
                at,
                values,
                0.92 * width,
                label=name,
                color=COLOURS[index % len(COLOURS)],
                hatch=HATCHES[index % len(HATCHES)],
                edgecolor="white",
            )
            if len(labels) * len(bars) <= 18:  # more numbers would touch
                axes.bar_label(drawn, [_written(value, form) for value in values], padding=2, fontsize=11)
        # Long labels would touch each other where they lie.
        longest = max(len(line) for label in labels for line in label.splitlines() or [""])
        slanted = {"rotation": 25, "ha": "right", "rotation_mode": "anchor"} if longest * len(labels) > 72 else {}
        axes.set_xticks(places, labels, fontsize=12, **slanted)
        axes.set_ylabel(ylabel)
        if log_y:
            axes.set_yscale("log")
        axes.margins(y=0.14)
        axes.grid(True, axis="y", color="0.9", linewidth=0.8)
        axes.set_axisbelow(True)
        if len(bars) > 1:  # below the axes: no bar is ever behind it
            figure.legend(loc="outside lower center", ncols=len(bars), frameon=False, fontsize=11)
        if title:
            axes.set_title(title)
    return figure


def _written(value: float, form: str) -> str:
    """A value above a bar: 1,074 and not 1.1e+03."""
    if abs(value) >= 100 and form == "{:.2g}":
        return f"{value:,.0f}"
    return form.format(value)
