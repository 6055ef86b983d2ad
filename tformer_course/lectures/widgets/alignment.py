"""What a KL term prevents, and what a group's mean gives for an advantage."""

from __future__ import annotations

import torch
from matplotlib.figure import Figure

from tformer_course.lectures.widgets.live import Live, log_slider, slider, tick
from tformer_course.models.grpo import group_advantages
from tformer_course.viz.figure import course_style

ANSWERS = 200
BETAS = torch.logspace(-1.5, 1, 41)


def hacked(noise: float, beta: torch.Tensor) -> dict[str, torch.Tensor]:
    """The best policy for reward − β·KL over 200 answers, π ∝ π_ref exp(r/β), in closed form.

    Args:
        noise: Spread of the reward model's errors; one answer that the reference hardly gives is overrated by 8.
        beta: `(b,)`.

    Returns:
        `model` and `truth`: mean reward by the reward model and in truth; `kl` to the reference, each `(b,)`.
    """
    generator = torch.Generator().manual_seed(0)
    log_reference = torch.randn(ANSWERS, generator=generator).log_softmax(0)
    truth = torch.randn(ANSWERS, generator=generator)
    model = truth + noise * torch.randn(ANSWERS, generator=generator)
    model[log_reference.argmin()] += 8.0 * min(1.0, noise)
    log_policy = (log_reference + model / beta[:, None]).log_softmax(-1)  # (b, answers)
    policy = log_policy.exp()
    kl = (policy * (log_policy - log_reference)).sum(-1)
    return {"model": policy @ model, "truth": policy @ truth, "kl": kl}


def beta_against_hacking() -> Live:
    """β and the reward model's errors against what is gained in truth."""
    with course_style():
        figure = Figure(figsize=(8.6, 3.9), layout="constrained")
        axes = figure.add_subplot()
        start = [0.0] * len(BETAS)
        (model,) = axes.semilogx(BETAS, start, color="#D55E00", linestyle="--", label="what the reward model says")
        (truth,) = axes.semilogx(BETAS, start, color="#0072B2", label="what was wanted")
        marks = axes.plot([1, 1], [0, 0], "o", color="#000000", markersize=9)[0]
        axes.set(ylim=(-1.5, 10), xlabel="β (small: little restraint)", ylabel="mean reward")
        axes.grid(True, color="0.9")
        axes.legend(frameon=False)
        title = axes.set_title(" ")

    def update(beta: float, noise: float) -> str:
        curves, here = hacked(noise, BETAS), hacked(noise, torch.tensor([beta]))
        model.set_ydata(curves["model"])
        truth.set_ydata(curves["truth"])
        said, real, kl = (here[name].item() for name in ("model", "truth", "kl"))
        marks.set_data([beta, beta], [said, real])
        best = BETAS[curves["truth"].argmax()].item()
        title.set_text(f"β = {beta:.2g}: reward model {said:.2f}, truth {real:.2f}, KL {kl:.2f} nats")
        return (
            f"At β = {beta:.2g} the reward model says {said:.2f} and the truth is {real:.2f}, {kl:.2f} nats from the "
            f"reference. The truth is best, {curves['truth'].max().item():.2f}, at β = {best:.2g}."
        )

    controls = {
        "beta": log_slider("β", 1.0, -1.5, 1, 0.1),
        "noise": slider("reward model's errors", 0.6, 0.0, 2.0, 0.1),
    }
    return Live(figure, [model, truth, marks, title], update, controls)


def group_advantage() -> Live:
    """Group size and chance of success against the signal that a group gives."""
    groups = 400
    draws = torch.rand(groups, 64, generator=torch.Generator().manual_seed(3))
    with course_style():
        figure = Figure(figsize=(8.6, 3.9), layout="constrained")
        left, right = figure.subplots(1, 2)
        bars = left.bar(["right answer", "wrong answer"], [0, 0], color=["#009E73", "#D55E00"])
        left.axhline(0, color="0.3", linewidth=1)
        left.set(ylim=(-8, 8), ylabel="mean advantage")
        sizes = list(range(2, 65))
        (line,) = right.plot(sizes, [0.0] * len(sizes), color="#0072B2")
        (point,) = right.plot([8], [0], "o", color="#000000", markersize=9)
        right.set(ylim=(0, 1.02), xlabel="group size", ylabel="share of groups without a signal")
        right.grid(True, color="0.9")
        title = figure.suptitle(" ", fontsize=12)

    def update(size: int, chance: float, divided: bool) -> str:
        rewards = (draws[:, :size] < chance).float()
        advantages = group_advantages(rewards, normalize_std=divided)
        right_one, wrong_one = (
            advantages[rewards == reward].mean().item() if (rewards == reward).any() else 0.0 for reward in (1, 0)
        )
        bars[0].set_height(right_one)
        bars[1].set_height(wrong_one)
        silent = [chance**g + (1 - chance) ** g for g in sizes]
        line.set_ydata(silent)
        point.set_data([size], [silent[size - 2]])
        title.set_text(
            f"groups of {size}, {chance:.0%} right: {silent[size - 2]:.0%} of the groups are all right or all wrong"
        )
        return (
            f"Groups of {size} at {chance:.0%} right answers: advantage {right_one:+.2f} for a right and "
            f"{wrong_one:+.2f} for a wrong one; {silent[size - 2]:.0%} of the groups teach nothing, since all their "
            "rewards are equal."
        )

    controls = {
        "size": slider("group size", 8, 2, 64, 1),
        "chance": slider("chance of a right answer", 0.2, 0.02, 0.98, 0.02),
        "divided": tick("divide by the group's standard deviation", True),
    }
    return Live(figure, [*bars, line, point, title], update, controls)
