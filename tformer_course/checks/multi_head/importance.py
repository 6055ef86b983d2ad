"""head_importance."""

from __future__ import annotations

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_measures as wrong


def quadratic_loss(gain: torch.Tensor, pair: float = 0.0):
    """A loss that depends on each head, and on heads 0 and 1 together."""

    def loss_fn(head_mask):
        return 5.0 - (gain * head_mask).sum() + pair * head_mask[0] * head_mask[1] + 0.1 * head_mask.sum() ** 2

    return loss_fn


def _importance(answer, gain, pair):
    return answer(quadratic_loss(gain, pair), len(gain))


def _with_a_loss_that_writes(answer, gain):
    right = quadratic_loss(gain, 0.7)

    def loss_fn(head_mask):
        loss = right(head_mask)
        head_mask.fill_(0.5)  # loss_fn may do with its vector what it likes
        return loss

    return answer(loss_fn, len(gain))


def _detached(answer, gain):
    found = answer(quadratic_loss(gain.clone().requires_grad_(), 0.7), len(gain))
    return {"values": found, "graph kept": found.requires_grad}


def _vectors(answer, gain):
    """The values, and whether each vector that loss_fn got was one of floats."""
    right, kinds = quadratic_loss(gain, 0.7), []

    def loss_fn(head_mask):
        kinds.append(head_mask.is_floating_point())
        return right(head_mask.float())

    return {"values": answer(loss_fn, len(gain)), "float vectors": all(kinds)}


def gains(draw, heads: int) -> torch.Tensor:
    """What each head takes off the loss: some much, some less than nothing."""
    found = draw.uniform(heads, low=-3.0, high=3.0, dtype=torch.float32)
    found[2], found[3] = 5.0, -5.0
    return found


HEAD_IMPORTANCE = Exercise(
    name="head_importance",
    points=2,
    reference=reference.head_importance,
    cases=(
        Case("float vectors", lambda draw: [gains(draw, 4)], call=_vectors),
        Case("four heads", lambda draw: [gains(draw, 4), draw.choice((0.7, -1.3))], call=_importance),
        Case("seven heads", lambda draw: [gains(draw, 7), 2.0], call=_importance),
        Case("detached", lambda draw: [gains(draw, 4)], call=_detached),
        Case("a loss that writes into the vector", lambda draw: [gains(draw, 5)], call=_with_a_loss_that_writes),
    ),
    mistakes=(
        Mistake(
            "only_that_head_on",
            "you switch every other head off. Which one should be off?",
            wrong.importance_only_on,
        ),
        Mistake(
            "only_that_head_on_gain",
            "you measure what one head alone achieves. What is asked for is what is lost without it.",
            wrong.importance_only_on_gain,
        ),
        Mistake(
            "sign",
            "your signs are turned round. A head that is needed must have a positive value: what rises without it?",
            wrong.importance_sign,
        ),
        Mistake(
            "loss_itself",
            "you return the losses. By how much do they rise against the loss with all heads on?",
            wrong.importance_loss_itself,
        ),
        Mistake(
            "absolute",
            "your values are all positive. A model can be better without a head: what should that look like?",
            wrong.importance_absolute,
        ),
        Mistake(
            "relative",
            "you divide by the loss with all heads on. The plain rise is asked for.",
            wrong.importance_relative,
        ),
        Mistake(
            "heads_stay_off",
            "heads that were switched off stay off. Which heads are on when head 3 is measured?",
            wrong.importance_heads_stay_off,
        ),
        Mistake(
            "same_vector_again",
            "you hand the same vector out again, and loss_fn may have changed it. Make a fresh one per call.",
            wrong.importance_same_mask,
        ),
        Mistake(
            "graph_kept",
            "your result still hangs on the graph of the loss. Which method cuts it off?",
            wrong.importance_keeps_graph,
        ),
        Mistake(
            "bool_vector",
            "you hand loss_fn a vector that is not of floats. Which dtype is asked for?",
            wrong.importance_bool,
        ),
        Mistake(
            "gradient",
            "you take the slope of the loss where all heads are on. What is asked for is the loss with the head off.",
            wrong.importance_gradient,
        ),
        Mistake(
            "negative_cut",
            "you cut negative values off. A model can be better without a head: what should that look like?",
            wrong.importance_clamped,
        ),
        Mistake(
            "against_none",
            "you compare with the loss where all heads are off. Which loss is the one to start from?",
            wrong.importance_from_none,
        ),
    ),
)
