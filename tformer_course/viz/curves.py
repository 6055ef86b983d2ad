"""Line charts of results, with the spread over seeds where there are several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from tformer_course.viz.figure import course_style
from tformer_course.viz.weights import as_array, label_text

# Okabe and Ito's colours without yellow, which is too light on white; line and marker differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def plot_curves(
    x: Sequence[float] | Any,
    curves: Mapping[str, Any],
    *,
    xlabel: str = "",
    ylabel: str = "",
    title: str | None = None,
    log_x: bool = False,
    log_y: bool = False,
    alt: str | None = None,
) -> Figure:
    """Draw one line per entry of `curves`, told apart by line style and marker as well as by colour.

    Args:
        x: `(points,)`.
        curves: label → `(points,)`, or `(seeds, points)`: then the line is the mean over the seeds and a band runs from
            the smallest to the largest of them. NaN and infinity leave a gap.
        xlabel, ylabel, title: texts.
        log_x, log_y: logarithmic axes.
        alt: alternative text, kept with the figure for `show`.

    Raises:
        ValueError: no curve, or a curve whose number of points is not that of x (both numbers are named).
    """
    xs = as_array(x)
    if xs.ndim != 1:
        raise ValueError(f"x has 1 axis; got {xs.ndim}, shape {xs.shape}")
    if not curves:
        raise ValueError("no curve to draw: curves has 0 entries, expected at least 1")
    seeds_seen = set()
    with course_style():
        figure = Figure(figsize=(7.5, 4.5), layout="constrained")
        axes = figure.add_subplot()
        for index, (label, values) in enumerate(curves.items()):
            ys = np.atleast_2d(as_array(values))  # (seeds, points)
            if ys.ndim != 2 or ys.shape[1] != len(xs):
                raise ValueError(f"curve {label!r} has {ys.shape[-1]} points for {len(xs)} values of x")
            ys = np.where(np.isfinite(ys), ys, np.nan)
            colour = COLOURS[index % len(COLOURS)]
            every = max(1, len(xs) // 12)  # markers tell lines apart; one on every point would hide them
            (line,) = axes.plot(
                xs,
                ys.mean(axis=0),
                color=colour,
                linestyle=LINES[(index + index // len(LINES)) % len(LINES)],
                marker=MARKERS[index % len(MARKERS)],
                markevery=(index * every // max(1, len(curves)), every),
                markersize=5,
                linewidth=1.8,
                label=label_text(label, 60),
            )
            if len(ys) > 1:
                seeds_seen.add(len(ys))
                axes.fill_between(xs, ys.min(axis=0), ys.max(axis=0), color=colour, alpha=0.2, linewidth=0)
        if log_x:
            axes.set_xscale("log")
            _plain_ticks(axes.xaxis, xs)
        if log_y:
            axes.set_yscale("log")
            _plain_ticks(axes.yaxis)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
        axes.grid(True, color="0.9", linewidth=0.8)
        axes.set_axisbelow(True)
        legend_title = None
        if seeds_seen:
            seeds = "–".join(str(count) for count in sorted(seeds_seen))
            legend_title = f"mean of {seeds} seeds, band: min to max"
        if len(curves) > 1 or legend_title:
            # A light ground keeps its words readable where a line runs behind them.
            legend = axes.legend(title=legend_title, title_fontsize=10, framealpha=0.85, edgecolor="none")
            for text in legend.get_texts():
                text.set_parse_math(False)
        if title:
            axes.set_title(label_text(title, 200), parse_math=False)
    figure.alt_text = alt
    return figure


def _plain_ticks(axis: Axis, points: np.ndarray | None = None) -> None:
    """Numbers like 64 and 0.2 on a logarithmic axis where they fit; 10² stays for axes over many powers of ten.

    Args:
        axis: of a chart that is drawn.
        points: where the axis has few points, each of them gets a tick.
    """
    low, high = axis.get_view_interval()
    if not 0 < low < high:
        return
    decades = np.log10(high / low)
    ticks = np.unique(points[points > 0]) if points is not None else np.array([])
    if len(ticks) > 1 and np.diff(np.log10(ticks)).min() > 0.08 * decades:
        axis.set_major_locator(FixedLocator(ticks))
    elif decades < 2.2:
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    else:
        return
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
