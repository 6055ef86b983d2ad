"""What sparse attention saves, and what keeps experts busy."""

from __future__ import annotations

import torch
from matplotlib.figure import Figure
from torch import Tensor

from tformer_course.lectures.widgets.live import Live, choice, log_slider, slider
from tformer_course.models import (
    bigbird_mask,
    causal_mask,
    load_balancing_loss,
    longformer_mask,
    route_top_k,
    sliding_window_mask,
    update_expert_bias,
)
from tformer_course.viz.figure import course_style

SHOWN = 48  # positions in the picture of the pattern
PATTERNS = ("all pairs", "causal", "causal window", "Longformer", "BigBird")


def pattern_mask(pattern: str, n: int, window: int, extra: int) -> Tensor:
    """The mask of a pattern; `extra` counts global positions, and for BigBird random keys as well."""
    if pattern == "all pairs":
        return torch.ones(n, n, dtype=torch.bool)
    if pattern == "causal":
        return causal_mask(n)
    if pattern == "causal window":
        return sliding_window_mask(n, window)
    if pattern == "Longformer":
        return longformer_mask(n, window, range(extra))
    return bigbird_mask(n, window, extra, extra, torch.Generator().manual_seed(0))


def pattern_pairs(pattern: str, n: int, window: int, extra: int) -> int:
    """How many pairs a pattern computes at length n, without making its mask."""
    if pattern == "all pairs":
        return n * n
    if pattern == "causal":
        return n * (n + 1) // 2
    if pattern == "causal window":
        w = min(window, n)
        return n * w - w * (w - 1) // 2
    extra = min(extra, n)
    rows = torch.arange(extra, n)  # the rows that are not global
    near = (rows + window // 2).clamp(max=n - 1) - (rows - window // 2).clamp(min=extra) + 1  # keys that are not global
    random = (n - extra - near).clamp(max=extra) if pattern == "BigBird" else 0
    return extra * n + int((extra + near + random).sum())


def window_cost() -> Live:
    """Pattern, window and length against the number of pairs."""
    with course_style():
        figure = Figure(figsize=(8.8, 3.9), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(4, 5))
        image = left.imshow(torch.zeros(SHOWN, SHOWN).numpy(), cmap="Blues", vmin=0, vmax=1.3)
        left.set(xticks=[], yticks=[], xlabel="key", ylabel="query", title=f"the first {SHOWN} positions")
        lengths = [2**i for i in range(8, 18)]
        right.loglog(lengths, [n * n for n in lengths], color="#000000", linestyle="--", label="all pairs")
        (line,) = right.loglog(lengths, lengths, color="#0072B2", marker="o", markersize=4, label="this pattern")
        (point,) = right.loglog([1024], [1024], "o", color="#D55E00", markersize=11)
        right.set(xlabel="length n", ylabel="pairs computed", ylim=(1e2, 5e10))
        right.legend(frameon=False)
        right.grid(True, color="0.9")
        title = right.set_title(" ")

    def update(pattern: str, window: int, extra: int, length: float) -> str:
        n = round(length)
        image.set_data(pattern_mask(pattern, SHOWN, window, extra).float().numpy())
        counts = [pattern_pairs(pattern, m, window, extra) for m in lengths]
        line.set_ydata(counts)
        pairs = pattern_pairs(pattern, n, window, extra)
        point.set_data([n], [pairs])
        title.set_text(f"n = {n:,}: {pairs / n**2:.2%} of all pairs")
        return (
            f"{pattern}, window {window}, {extra} extra: at n = {n:,} it computes {pairs:,} pairs, {pairs / n**2:.2%} "
            f"of all. From n = 256 to 131,072 the pairs grow {counts[-1] / counts[0]:,.0f} times."
        )

    controls = {
        "pattern": choice("pattern", list(PATTERNS), "causal window"),
        "window": slider("window", 8, 2, 64, 2),
        "extra": slider("global, random", 2, 0, 8, 1),
        "length": log_slider("length n", 4096, 8, 17, 1, base=2),
    }
    return Live(figure, [image, line, point, title], update, controls)


def router_balance() -> Live:
    """A router that favours some experts, and a bias that moves against the load."""
    experts, tokens = 8, 512
    noise = torch.randn(tokens, experts, generator=torch.Generator().manual_seed(2))
    with course_style():
        figure = Figure(figsize=(8.6, 3.9), layout="constrained")
        axes = figure.add_subplot()
        bars = axes.bar(range(1, experts + 1), [0] * experts, color="#009E73")
        line = axes.axhline(0, color="#D55E00", linestyle="--", linewidth=2)
        axes.set(ylim=(0, 1), xlabel="expert", ylabel="share of the choices")
        title = axes.set_title(" ")

    def update(favour: float, k: int, steps: int, rate: float) -> str:
        logits = noise + favour * torch.linspace(1, -1, experts)
        bias = torch.zeros(experts)
        for _ in range(steps):
            chosen = (logits + bias).topk(k, dim=-1).indices
            bias = update_expert_bias(bias, torch.bincount(chosen.flatten(), minlength=experts), rate)
        indices = route_top_k(logits + bias, k)[1]
        share = torch.bincount(indices.flatten(), minlength=experts) / indices.numel()
        loss = load_balancing_loss(logits.softmax(-1), indices, experts).item()
        capacity = 1.25 / experts
        dropped = (share - capacity).clamp(min=0).sum().item()
        for bar, value in zip(bars, share.tolist(), strict=True):
            bar.set_height(value)
        line.set_ydata([capacity, capacity])
        title.set_text(
            f"after {steps} steps of the bias: busiest {share.max().item():.0%}, idlest {share.min().item():.0%}, "
            f"over capacity {dropped:.0%}, loss {loss:.2f}"
        )
        return (
            f"Share of the choices per expert: from {share.min().item():.0%} to {share.max().item():.0%}; the dashed "
            f"line is a capacity of 1.25 times the fair share, {dropped:.0%} of the choices are over it. "
            f"Balancing loss {loss:.2f}."
        )

    controls = {
        "favour": slider("router's favour", 1.5, 0.0, 3.0, 0.1),
        "k": slider("experts per token", 1, 1, 4, 1),
        "steps": slider("steps of the bias", 0, 0, 60, 1),
        "rate": log_slider("rate of the bias", 0.1, -3, 0, 0.25),
    }
    return Live(figure, [*bars, line, title], update, controls)
