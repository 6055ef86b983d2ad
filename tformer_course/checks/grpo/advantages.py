"""group_advantages."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ...models.grpo import objective as reference
from ..core.exercise import Case, Exercise, Mistake


def rewards(draw, prompts: int, group: int, dtype=torch.float64):
    """Rewards 0, 0.1 and 1 in groups that all differ."""
    values = torch.tensor([0.0, 0.1, 1.0], dtype=dtype)
    drawn = values[draw.integers(0, 2, prompts, group)]
    drawn[:, 0], drawn[:, 1] = 1.0, 0.1
    return drawn


def near_zero(value, given, *rest) -> bool | str:
    """Whether advantages of constant groups are small."""
    if tuple(value.shape) != tuple(given.shape):
        return f"shape {tuple(value.shape)}, expected {tuple(given.shape)}"
    if not bool(value.isfinite().all()):
        return "a constant group gives NaN or infinity"
    return True if float(value.abs().max()) < 1e-3 else "a constant group gives advantages far from 0"


def _of(
    centre: Callable = lambda r: r.mean(dim=1, keepdim=True),
    spread: Callable = lambda r: r.std(dim=1, correction=0, keepdim=True),
    divide: Callable = lambda x, s, eps: x / (s + eps),
    always: bool = False,
    sign: float = 1.0,
) -> Callable:
    """Advantages with one thing done differently."""

    def group_advantages(rewards, eps=1e-4, normalize_std=True):
        x = sign * (rewards - centre(rewards))
        return divide(x, spread(rewards), eps) if normalize_std or always else x

    return group_advantages


def _never(rewards, eps=1e-4, normalize_std=True):
    return rewards - rewards.mean(dim=1, keepdim=True)


def _raw(rewards, eps=1e-4, normalize_std=True):
    return rewards / (rewards.std(dim=1, correction=0, keepdim=True) + eps) if normalize_std else rewards.clone()


def _leave_one_out(rewards, eps=1e-4, normalize_std=True):
    group = rewards.shape[1]
    x = (rewards - rewards.mean(dim=1, keepdim=True)) * group / (group - 1)
    return x / (rewards.std(dim=1, correction=0, keepdim=True) + eps) if normalize_std else x


GROUP_ADVANTAGES = Exercise(
    name="group_advantages",
    points=1.5,
    reference=reference.group_advantages,
    cases=(
        Case("groups that differ", lambda draw: [rewards(draw, 3, 8)]),
        Case("without the division", lambda draw: [rewards(draw, 3, 6), 1e-4, False]),
        Case("another eps", lambda draw: [rewards(draw, 2, 5), 0.3]),
        Case("constant groups", lambda draw: [torch.tensor([[1.0] * 6, [0.0] * 6, [0.1] * 6])], holds=near_zero),
    ),
    mistakes=(
        Mistake(
            "spread_of_all_groups",
            "you divide by the spread of the whole batch. With whom is a completion compared?",
            _of(spread=lambda r: (r - r.mean(dim=1, keepdim=True)).square().mean().sqrt()),
        ),
        Mistake(
            "over_the_batch",
            "you standardise over the whole batch, so easy prompts help hard ones down. Over which axis is a group?",
            _of(lambda r: r.mean(), lambda r: r.std(correction=0)),
        ),
        Mistake(
            "spread_of_the_batch",
            "the mean is the group's, but you divide by the deviation of the whole batch. Whose is asked for?",
            _of(spread=lambda r: r.std(correction=0)),
        ),
        Mistake(
            "over_the_prompts",
            "you take mean and deviation over the prompts (axis 0). Which axis holds the samples of one prompt?",
            _of(lambda r: r.mean(dim=0, keepdim=True), lambda r: r.std(dim=0, correction=0, keepdim=True)),
        ),
        Mistake(
            "nan_in_a_constant_group",
            "a constant group divides 0 by 0. What is eps for?",
            _of(divide=lambda x, s, eps: x / s),
        ),
        Mistake(
            "sample_deviation",
            "you divide by the sample's standard deviation (G − 1). Which one does GRPO use?",
            _of(spread=lambda r: r.std(dim=1, keepdim=True)),
        ),
        Mistake(
            "variance",
            "you divide by the variance. What has the unit of a reward?",
            _of(spread=lambda r: r.var(dim=1, correction=0, keepdim=True)),
        ),
        Mistake(
            "eps_inside_the_root",
            "eps is added to the variance, inside the root. Where does it stand in the formula?",
            _of(
                spread=lambda r: r.var(dim=1, correction=0, keepdim=True),
                divide=lambda x, s, eps: x / (s + eps).sqrt(),
            ),
        ),
        Mistake(
            "always_divided",
            "you divide by the deviation also where normalize_std is False. What does Dr. GRPO leave out?",
            _of(always=True),
        ),
        Mistake("never_divided", "you never divide by the deviation. What does normalize_std=True ask for?", _never),
        Mistake("mean_kept", "the mean is not taken off. What does a group without better and worse teach?", _raw),
        Mistake("sign", "right answers get a negative advantage. Which is subtracted from which?", _of(sign=-1.0)),
        Mistake(
            "median",
            "you take the median off. Which baseline does GRPO use?",
            _of(lambda r: r.median(dim=1, keepdim=True).values),
        ),
        Mistake(
            "leave_one_out",
            "you compare each sample with the mean of the others (RLOO). Which mean does GRPO use?",
            _leave_one_out,
        ),
    ),
)
