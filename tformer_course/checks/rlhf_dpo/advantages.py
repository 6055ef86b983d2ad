"""gae."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.rlhf_dpo import policy as reference
from ..core.exercise import Case, Exercise, Mistake
from .masks import spans


def _variant(
    *,
    delta: Callable = lambda r, v, after, gamma: r + gamma * after - v,
    decay: Callable[[float, float], float] = lambda gamma, lam: gamma * lam,
    returns: Callable[[Tensor, Tensor, Tensor], Tensor] = lambda a, v, mask: (a + v) * mask,
    after_padding: bool = False,
    own_value_at_end: bool = False,
    through_padding: bool = False,
    outside: bool = False,
    forward: bool = False,
) -> Callable:
    """The recursion with one thing changed."""

    def gae(rewards, values, mask, gamma, lam):
        steps = range(rewards.shape[1])
        found: list[Tensor | None] = [None] * rewards.shape[1]
        advantage = torch.zeros_like(rewards[:, 0])
        for t in steps if forward else reversed(steps):
            after, real_after = torch.zeros_like(advantage), torch.zeros_like(mask[:, 0])
            if t + 1 < len(steps):
                after, real_after = values[:, t + 1], mask[:, t + 1]
            if own_value_at_end:
                after = torch.where(real_after, after, values[:, t])
            elif not after_padding:
                after = after * real_after
            now = delta(rewards[:, t], values[:, t], after, gamma) + decay(gamma, lam) * advantage
            advantage = now if through_padding else now * mask[:, t]
            found[t] = advantage
        advantages = torch.stack(found, dim=1)
        kept = advantages if outside else advantages * mask
        return kept, returns(kept, values, mask)

    return gae


def _forward_with_values_before(rewards, values, mask, gamma, lam):
    """The loop with `range` in place of `reversed(range)`: what it calls the next step is the one before."""
    back = [x.flip(1) for x in (rewards * mask, values * mask, mask)]
    return tuple(x.flip(1) for x in _variant(after_padding=True)(*back, gamma, lam))


def _rewards_to_come(rewards, values, mask, gamma, lam):
    advantages, _ = _variant()(rewards, values, mask, gamma, lam)
    _, returns = _variant()(rewards, values, mask, gamma, 1.0)
    return advantages, returns


def _rewards_plus_values(rewards, values, mask, gamma, lam):
    return _variant()(rewards, values, mask, gamma, lam)[0], (rewards + values) * mask


def _normalised(rewards, values, mask, gamma, lam):
    advantages, returns = _variant()(rewards, values, mask, gamma, lam)
    real = advantages[mask]
    return ((advantages - real.mean()) / (real.std() + 1e-8)) * mask, returns


def _inputs(draw, rows=4, length=9, empty=None, gamma=0.9, lam=0.8, **kind):
    return [
        draw.normal(rows, length, **kind),
        draw.normal(rows, length, **kind),
        spans(draw, rows, length, empty=empty),
        gamma,
        lam,
    ]


GAE = Exercise(
    name="gae",
    points=3,
    reference=reference.gae,
    cases=(
        Case("answers", lambda draw: _inputs(draw)),
        Case("λ = 0", lambda draw: _inputs(draw, lam=0.0)),
        Case("λ = 1, γ = 1", lambda draw: _inputs(draw, gamma=1.0, lam=1.0)),
        Case("a row without", lambda draw: _inputs(draw, empty=2)),
        Case(
            "answers that fill the row",
            lambda draw: [draw.normal(3, 6), draw.normal(3, 6), torch.ones(3, 6, dtype=torch.bool), 0.95, 0.9],
        ),
        Case("float32", lambda draw: _inputs(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "forward",
            "you run through time forwards: an advantage would hold what came before. Which deltas does A_t add up?",
            _variant(forward=True),
        ),
        Mistake(
            "forward_with_values_before",
            "you run through time forwards, and take the value before for the one after. Which deltas does A_t add up?",
            _forward_with_values_before,
        ),
        Mistake(
            "bootstraps_into_padding",
            "after the last real token you use the value of padding. What is the value when nothing follows?",
            _variant(after_padding=True),
        ),
        Mistake(
            "own_value_at_end",
            "after the last real token you use its own value again. What is the value when nothing follows?",
            _variant(own_value_at_end=True),
        ),
        Mistake(
            "through_padding",
            "the recursion carries what it met in the padding into the answer. When must it start anew?",
            _variant(through_padding=True),
        ),
        Mistake(
            "mask_ignored",
            "padding counts as part of the answer, in the values and in the recursion. Where does the mask come in?",
            _variant(after_padding=True, through_padding=True),
        ),
        Mistake(
            "mask_nowhere",
            "your results are not zero where the mask is False. Where does the mask come in?",
            _variant(after_padding=True, through_padding=True, outside=True, returns=lambda a, v, mask: a + v),
        ),
        Mistake(
            "returns_without_values",
            "returns and advantages are the same. A return is what the value should have been: what is added?",
            _variant(returns=lambda a, v, mask: a),
        ),
        Mistake(
            "returns_in_padding",
            "your returns are not zero where the mask is False. What is added there?",
            _variant(returns=lambda a, v, mask: a + v),
        ),
        Mistake(
            "returns_minus_values",
            "you subtract the values from the advantages. A = return − value: what is the return?",
            _variant(returns=lambda a, v, mask: (a - v) * mask),
        ),
        Mistake(
            "rewards_to_come",
            "your returns are plain sums of rewards, whatever λ is. What are they in terms of A and V?",
            _rewards_to_come,
        ),
        Mistake(
            "rewards_plus_values",
            "your returns are rewards plus values. What are they in terms of A and V?",
            _rewards_plus_values,
        ),
        Mistake(
            "no_lambda",
            "λ is missing in the recursion. By what is the next advantage multiplied?",
            _variant(decay=lambda gamma, lam: gamma),
        ),
        Mistake(
            "no_gamma",
            "γ is missing in the recursion. By what is the next advantage multiplied?",
            _variant(decay=lambda gamma, lam: lam),
        ),
        Mistake(
            "no_recursion",
            "you return the deltas alone, as for λ = 0. What does A_t add to δ_t?",
            _variant(decay=lambda gamma, lam: 0.0),
        ),
        Mistake(
            "no_baseline",
            "you do not subtract V_t. An advantage compares with what was expected: where is that?",
            _variant(delta=lambda r, v, after, gamma: r + gamma * after),
        ),
        Mistake(
            "no_next_value",
            "the next value is missing in δ. What is expected after this token?",
            _variant(delta=lambda r, v, after, gamma: r - v),
        ),
        Mistake(
            "next_value_whole",
            "the next value is not discounted. By what is it multiplied?",
            _variant(delta=lambda r, v, after, gamma: r + after - v),
        ),
        Mistake(
            "sign",
            "your δ has its sign turned. Is a reward above the expected one an advantage?",
            _variant(delta=lambda r, v, after, gamma: v - r - gamma * after),
        ),
        Mistake(
            "swapped",
            "returns and advantages are exchanged. In which order are they returned?",
            lambda *args: _variant()(*args)[::-1],
        ),
        Mistake(
            "normalised",
            "you whiten the advantages. That is a step of PPO's loop: who does it here?",
            _normalised,
        ),
    ),
)
