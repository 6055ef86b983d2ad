"""ppo_loss."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.rlhf_dpo import policy as reference
from ..core.exercise import Case, Exercise, Mistake
from .masks import spans


def _clipped(ratio: Tensor, gain: Tensor, clip: float) -> Tensor:
    return torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain)


def _mean(objective: Tensor, mask: Tensor) -> Tensor:
    return -objective.masked_fill(~mask, 0.0).sum() / mask.sum().clamp(min=1)


def _variant(
    objective: Callable = _clipped,
    reduce: Callable[[Tensor, Tensor], Tensor] = _mean,
    *,
    ratio: Callable[[Tensor], Tensor] = torch.exp,
    old_learns: bool = False,
    gains_learn: bool = False,
    clip_fixed: float | None = None,
    masked_first: bool = True,
) -> Callable:
    """The loss with one thing changed."""

    def ppo_loss(log_p, log_p_old, advantages, mask, clip=0.2):
        old = log_p_old if old_learns else log_p_old.detach()
        gains = advantages if gains_learn else advantages.detach()
        difference = log_p - old
        if masked_first:
            difference = difference.masked_fill(~mask, 0.0)
        return reduce(objective(ratio(difference), gains, clip_fixed or clip), mask)

    return ppo_loss


def _mean_of_rows(objective: Tensor, mask: Tensor) -> Tensor:
    rows = objective.masked_fill(~mask, 0.0).sum(-1) / mask.sum(-1).clamp(min=1)
    return -rows.mean()


def _only_policy(answer: Callable, log_p, log_p_old, advantages, mask, *more):
    """The gradient of the policy alone is looked at."""
    return answer(log_p, log_p_old.detach(), advantages.detach(), mask, *more)


def _inputs(draw, rows=4, length=9, empty=None, **kind):
    old = -draw.uniform(rows, length, low=0.1, high=3.0)
    new = old + draw.normal(rows, length, scale=0.5)
    mask = spans(draw, rows, length, empty=empty)
    dtype = kind.get("dtype", torch.float64)
    return [new.to(dtype), old.to(dtype), draw.normal(rows, length, **kind), mask]


def _garbage(draw):
    new, old, gains, mask = _inputs(draw)
    return [torch.where(mask, new, draw.normal(4, 9, scale=2000.0)), old, gains, mask]


PPO_LOSS = Exercise(
    name="ppo_loss",
    points=2.5,
    reference=reference.ppo_loss,
    cases=(
        Case("answers", lambda draw: _inputs(draw), call=_only_policy, grad=True),
        Case("another clip", lambda draw: [*_inputs(draw), 0.5], call=_only_policy, grad=True),
        Case(
            "nothing counts",
            lambda draw: [*draw.normal(3, 2, 4).unbind(), torch.zeros(2, 4, dtype=torch.bool)],
            call=_only_policy,
            grad=True,
        ),
        Case("odd numbers in the padding", _garbage, call=_only_policy, grad=True),
        Case("only the policy learns", lambda draw: _inputs(draw), grad=True),
        Case("float32", lambda draw: _inputs(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "maximum",
            "you take the better of the two objectives. PPO is a pessimist: which one does it believe?",
            _variant(lambda r, a, c: torch.maximum(r * a, r.clamp(1 - c, 1 + c) * a)),
        ),
        Mistake(
            "not_clipped",
            "the ratio is never cut. What keeps the new policy near the old one?",
            _variant(lambda r, a, c: r * a),
        ),
        Mistake(
            "only_clipped",
            "you use the cut ratio alone: a token that has gone too far can never come back. Of which two is the "
            "smaller one taken?",
            _variant(lambda r, a, c: r.clamp(1 - c, 1 + c) * a),
        ),
        Mistake(
            "upper_side_only",
            "the ratio is cut above and not below. Where must it stop when the advantage is negative?",
            _variant(lambda r, a, c: torch.minimum(r * a, r.clamp(max=1 + c) * a)),
        ),
        Mistake(
            "lower_side_only",
            "the ratio is cut below and not above. Where must it stop when the advantage is positive?",
            _variant(lambda r, a, c: torch.minimum(r * a, r.clamp(min=1 - c) * a)),
        ),
        Mistake(
            "minimum_of_ratios",
            "you take the smaller ratio and multiply afterwards. What happens to an order when it is multiplied by a "
            "negative number?",
            _variant(lambda r, a, c: torch.minimum(r, r.clamp(1 - c, 1 + c)) * a),
        ),
        Mistake(
            "sign",
            "your number is the objective itself. Which sign makes it something to minimise?",
            _variant(reduce=lambda objective, mask: -_mean(objective, mask)),
        ),
        Mistake(
            "mean_over_padding",
            "you divide by all positions. How many tokens count?",
            _variant(reduce=lambda o, mask: -o.masked_fill(~mask, 0.0).mean()),
        ),
        Mistake(
            "padding_counted",
            "prompt and padding are in your mean. What does the mask say?",
            _variant(reduce=lambda o, mask: -o.mean(), masked_first=False),
        ),
        Mistake(
            "mean_of_rows",
            "you average each row first, so a token of a short answer weighs more. How many means are there in a mean "
            "over all real tokens?",
            _variant(reduce=_mean_of_rows),
        ),
        Mistake(
            "sum",
            "you return a sum. By how many tokens is it divided?",
            _variant(reduce=lambda o, mask: -o.masked_fill(~mask, 0.0).sum()),
        ),
        Mistake(
            "ratio_inverted",
            "your ratio is old by new. Which policy stands above the line?",
            _variant(ratio=lambda d: (-d).exp()),
        ),
        Mistake(
            "log_ratio",
            "you use the difference of the logarithms as the ratio. What makes a ratio of it?",
            _variant(ratio=lambda d: d),
        ),
        Mistake(
            "no_old_policy",
            "you use the probability itself in place of the ratio. Who drew the samples?",
            lambda log_p, log_p_old, advantages, mask, clip=0.2: _mean(
                _clipped(log_p.masked_fill(~mask, 0.0).exp(), advantages.detach(), clip), mask
            ),
        ),
        Mistake(
            "clip_fixed",
            "you always cut at 0.2. Which argument says where?",
            _variant(clip_fixed=0.2),
        ),
        Mistake(
            "nan_for_nothing",
            "your loss is 0/0 = NaN where nothing counts. What should a mean over nothing be?",
            _variant(reduce=lambda o, mask: -(o[mask].mean())),
        ),
        Mistake(
            "padding_overflows",
            "exp overflows in the padding, and infinity times 0 is NaN. What must be masked before exp?",
            _variant(reduce=lambda o, mask: -(o * mask).sum() / mask.sum().clamp(min=1), masked_first=False),
        ),
        Mistake(
            "padding_gradient",
            "the value is right, but exp overflows in the padding and its gradient is NaN. What must be masked before "
            "exp?",
            _variant(masked_first=False),
        ),
        Mistake(
            "old_and_advantages_learn",
            "the policy's gradient is right, but gradients also flow into the old log-probabilities and the "
            "advantages. Which of the inputs are constants?",
            _variant(old_learns=True, gains_learn=True),
        ),
        Mistake(
            "old_learns",
            "gradients flow into the old log-probabilities: the policy that sampled is a constant. What cuts it off?",
            _variant(old_learns=True),
        ),
        Mistake(
            "advantages_learn",
            "gradients flow into the advantages: they are constants here. What cuts them off?",
            _variant(gains_learn=True),
        ),
    ),
)
