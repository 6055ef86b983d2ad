"""average_heads and attention_entropy."""

from __future__ import annotations

import math

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_maps as wrong

AVERAGE_HEADS = Exercise(
    name="average_heads",
    points=1,
    reference=reference.average_heads,
    cases=(
        Case("a batch", lambda draw: [draw.normal(2, 3, 4, 6, scale=2.0).softmax(-1)], grad=True),
        Case("one sample", lambda draw: [draw.normal(3, 5, 5, scale=2.0).softmax(-1)]),
        Case("all layers", lambda draw: [draw.normal(2, 1, 3, 4, 4, scale=2.0).softmax(-1)]),
    ),
    mistakes=(
        Mistake(
            "softmax_again",
            "you apply softmax to weights that already sum to one: it flattens the map. What do the rows of a mean of "
            "such maps sum to?",
            wrong.average_softmax_again,
        ),
        Mistake(
            "softmax_first",
            "you apply softmax to each head's weights before the mean. They already sum to one: what does a second "
            "softmax do?",
            wrong.average_softmax_first,
        ),
        Mistake(
            "over_queries",
            "you average over the queries. Which axis counts the heads, seen from the end?",
            wrong.average_over_queries,
        ),
        Mistake(
            "over_keys",
            "you average over the keys, which gives 1/S everywhere. Which axis counts the heads, seen from the end?",
            wrong.average_over_keys,
        ),
        Mistake(
            "over_first_axis",
            "you average over the first axis, which is not always the heads. Count the axes from the end.",
            wrong.average_over_first_axis,
        ),
        Mistake(
            "max",
            "you take the largest head per entry, and the rows sum to more than one. What is asked for?",
            wrong.average_max,
        ),
        Mistake("sum", "you add the heads, and the rows sum to H. What is asked for?", wrong.average_sum),
        Mistake(
            "renormalised",
            "you divide the mean by its sum once more. What do the rows of a mean of such maps sum to?",
            wrong.average_renormalised,
        ),
        Mistake(
            "squeezed",
            "you drop every axis of size 1. Only the head axis may go.",
            wrong.average_squeezes,
        ),
        Mistake(
            "axis_kept",
            "the head axis is still there, with size 1. Which shape is asked for?",
            wrong.average_keeps_axis,
        ),
    ),
)


def rows_with_zeros(draw):
    """Weights `(2, 3, 4, 6)` under a mask `(2, 1, 4, 6)` that hides some keys of most rows, and the mask."""
    mask = draw.mask(2, 1, 4, 6, keep=0.5)
    mask[0, 0, 0] = True
    mask[0, 0, 1, 1:] = False  # one key
    mask[0, 0, 1, 0] = True
    mask[1, 0, 2] = False  # no key
    scores = draw.normal(2, 3, 4, 6, scale=2.0).masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num(0.0), mask


def gradient_of_entropy(answer, weights):
    w = weights.detach().clone().requires_grad_()
    return torch.autograd.grad(answer(w).sum(), w)[0]


def right_where_positive(gradient, weights):
    if not gradient.isfinite().all():
        return "the gradient is not finite where a weight is 0; the log of 0 must never be formed"
    want = -(weights.log() + 1) / math.log(weights.shape[-1])
    return bool(torch.allclose(gradient[weights > 0], want[weights > 0])) or "the gradient at positive weights is off"


ATTENTION_ENTROPY = Exercise(
    name="attention_entropy",
    points=2,
    reference=reference.attention_entropy,
    # 1e-12: a small number added inside the log must show.
    cases=(
        Case("positive weights", lambda draw: [draw.normal(2, 3, 4, 6).softmax(-1)], grad=True, tol=1e-12),
        Case("zero weights", lambda draw: [rows_with_zeros(draw)[0]], tol=1e-12),
        Case("mask", lambda draw: list(rows_with_zeros(draw)), tol=1e-12),
        Case(
            "mask that broadcasts over the keys",
            lambda draw: [draw.normal(2, 4, 6).softmax(-1), torch.ones(4, 1, dtype=torch.bool)],
            tol=1e-12,
        ),
        Case("one key", lambda draw: [torch.ones(2, 3, 1, dtype=torch.float64)]),
        Case(
            "a small weight",
            lambda draw: [torch.tensor([[0.7, 0.3 - 1e-8, 1e-8, 0.0]], dtype=torch.float64)],
            tol=1e-12,
        ),
        Case(
            "gradient at zero weights",
            lambda draw: [torch.tensor([[0.5, 0.3, 0.2, 0.0], [1.0, 0.0, 0.0, 0.0]], dtype=torch.float64)],
            holds=right_where_positive,
            call=gradient_of_entropy,
        ),
    ),
    mistakes=(
        Mistake(
            "log_of_zero",
            "0·log 0 gives NaN. Its limit is 0: which values may reach the log at all?",
            wrong.entropy_log_zero,
        ),
        Mistake(
            "log_of_padded_length",
            "you divide by the log of the full length. How many keys may this row attend to?",
            wrong.entropy_of_padded_length,
        ),
        Mistake(
            "mask_counted_before_broadcasting",
            "you count the mask before it is broadcast: an axis of size 1 stands for all keys. Expand it first.",
            wrong.entropy_of_mask_before_broadcasting,
        ),
        Mistake(
            "keys_with_weight_counted",
            "you count the keys that have a weight above 0. A key that may be attended to counts even at weight 0: "
            "what says which may?",
            wrong.entropy_of_seen_keys,
        ),
        Mistake(
            "in_nats",
            "your entropy is in nats: it grows with the length. What is it divided by, so that even attention gives 1?",
            wrong.entropy_in_nats,
        ),
        Mistake(
            "in_bits",
            "your entropy is in bits: it grows with the length. What is it divided by, so that even attention gives 1?",
            wrong.entropy_in_bits,
        ),
        Mistake(
            "bits_over_nats",
            "you divide a sum of log2 by a natural log. Which two logs belong together?",
            wrong.entropy_bits_over_nats,
        ),
        Mistake(
            "by_queries",
            "you divide by the log of the number of queries. Over what does a row spread its weight?",
            wrong.entropy_by_queries,
        ),
        Mistake(
            "epsilon",
            "a small number inside the log changes every value. Which weights need care, and what should the log see "
            "there instead?",
            wrong.entropy_epsilon,
        ),
        Mistake(
            "clamped",
            "you clamp the weights, which changes the small ones. Only a weight of exactly 0 needs care.",
            wrong.entropy_clamped,
        ),
        Mistake(
            "nan_for_one_key",
            "a row with one key gives 0/0, for log 1 = 0. What is asked for in such a row?",
            wrong.entropy_nan_for_one_key,
        ),
        Mistake("mean_over_rows", "you return one number. One per row is asked for.", wrong.entropy_mean),
        Mistake(
            "over_queries",
            "you sum over the queries. Which axis of a row of weights runs over the keys?",
            wrong.entropy_over_queries,
        ),
        Mistake(
            "sign", "your entropies are negative. What is the sign of log w for a weight?", wrong.entropy_not_negated
        ),
    ),
)
