"""additive_attention, and what is likely to go wrong in it."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake
from .broken import empty_second_row, exp_by_hand, weigh


def _additive(
    activation: Callable = torch.tanh,
    axis: int = -1,
    masking: str = "right",
    pool: str = "values",
    combine: Callable = torch.add,
    scale: bool = False,
    repaired: bool = False,
) -> Callable:
    def additive_attention(query, keys, values, w_query, w_key, v, mask=None):
        scores = activation(combine((query @ w_query).unsqueeze(1), keys @ w_key)) @ v  # (B, n)
        if scale:
            scores = scores / math.sqrt(v.shape[0])
        weights = weigh(scores, mask, axis, masking)
        context = (weights.unsqueeze(-1) * (keys if pool == "keys" else values)).sum(1)  # (B, d_v)
        if pool == "mean":
            context = context / weights.shape[-1]
        if repaired:
            context, weights = context.nan_to_num(0.0), weights.nan_to_num(0.0)
        return (weights, context) if pool == "swapped" else (context, weights)

    return additive_attention


def _additive_by_hand(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query).unsqueeze(1) + keys @ w_key) @ v
    weights = exp_by_hand(scores, mask)
    return (weights.unsqueeze(-1) * values).sum(1), weights


def _additive_overflow(query, keys, values, w_query, w_key, v, mask=None):
    scores = torch.tanh((query @ w_query).unsqueeze(1) + keys @ w_key) @ v
    powers = scores.exp() if mask is None else scores.exp() * mask
    total = powers.sum(-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1.0)
    return (weights.unsqueeze(-1) * values).sum(1), weights


def _additive_detached(query, keys, values, w_query, w_key, v, mask=None):
    weights = _additive()(query, keys, values, w_query, w_key, v, mask)[1].detach()
    return (weights.unsqueeze(-1) * values).sum(1), weights


def _additive_no_softmax(query, keys, values, w_query, w_key, v, mask=None):
    weights = torch.tanh((query @ w_query).unsqueeze(1) + keys @ w_key) @ v
    return (weights.unsqueeze(-1) * values).sum(1), weights


def _additive_inputs(draw):
    # Every size differs, so that a wrong axis changes a shape or a value.
    return [
        draw.normal(3, 4),
        draw.normal(3, 5, 6),
        draw.normal(3, 5, 2),
        draw.normal(4, 7),
        draw.normal(6, 7),
        draw.normal(7),
    ]


def _tanh_of_each(query, keys, values, w_query, w_key, v, mask=None):
    scores = (torch.tanh(query @ w_query).unsqueeze(1) + torch.tanh(keys @ w_key)) @ v
    weights = weigh(scores, mask)
    return (weights.unsqueeze(-1) * values).sum(1), weights


ADDITIVE_ATTENTION = Exercise(
    name="additive_attention",
    points=3,
    reference=reference.additive_attention,
    helpers=(reference.masked_softmax,),
    cases=(
        Case("values", lambda draw: _additive_inputs(draw), grad=True),
        Case("mask", lambda draw: [*_additive_inputs(draw), draw.mask(3, 5, keep=0.5)], grad=True),
        Case("empty rows", lambda draw: [*_additive_inputs(draw), empty_second_row(draw.mask(3, 5))], grad=True),
        # A v of several hundred makes scores of ±1000 and more.
        Case("large scores", lambda draw: [*(inputs := _additive_inputs(draw))[:-1], 900.0 * inputs[-1]]),
        Case("float32", lambda draw: [t.float() for t in _additive_inputs(draw)]),
    ),
    mistakes=(
        Mistake(
            "softmax_over_batch",
            "your weights sum to 1 over the batch, so samples compete with each other. Which axis of the scores (B, n) "
            "counts the positions?",
            _additive(axis=0),
        ),
        Mistake(
            "tanh_left_out",
            "without tanh the score is a sum of a query part and a key part. What does softmax do with a part that is "
            "the same for all positions?",
            _additive(activation=lambda x: x),
        ),
        Mistake(
            "tanh_of_each",
            "your weights do not depend on the query: tanh is taken of its part and of the keys' part one by one. In "
            "the formula, what stands inside the tanh?",
            _tanh_of_each,
        ),
        Mistake(
            "keys_averaged",
            "your context is a weighted sum of the keys. The keys decide where to look; what is read there?",
            _additive(pool="keys"),
        ),
        Mistake(
            "mask_after_softmax",
            "with a mask your rows sum to less than 1: the mask came after the softmax. What must a masked score be, "
            "so that softmax itself gives 0?",
            _additive(masking="after"),
        ),
        Mistake(
            "mask_inverted",
            "your weights sit on the positions that the mask forbids. In this course, what does True mean?",
            _additive(masking="inverted"),
        ),
        Mistake(
            "mask_ignored",
            "the mask changes nothing in your result. Where between the scores and the softmax does it belong?",
            _additive(masking="ignored"),
        ),
        Mistake(
            "masked_scores_zero",
            "you set masked scores to 0, but exp(0) is 1, so they still get weight. Which score has the exponential 0?",
            _additive(masking="zero"),
        ),
        Mistake(
            "nan_in_empty_rows",
            "a row that may attend to nothing gives NaN, because softmax divides 0 by 0. What should such a row "
            "return, and what can you feed softmax instead?",
            _additive(masking="nan"),
        ),
        Mistake(
            "nan_in_gradient_of_values",
            "the values are right, but an empty row has NaN in a gradient: the output is repaired after NaN weights "
            "met the values, and 0 · NaN is NaN on the way back. Can the weights be free of NaN from the start?",
            _additive(masking="nan", repaired=True),
        ),
        Mistake(
            "nan_in_gradient_of_scores",
            "the values are right, but an empty row has NaN in a gradient: softmax saw a row of −inf, and its backward "
            "pass makes NaN. Which scores could an empty row get instead, before its weights become 0?",
            _additive(masking="added"),
        ),
        Mistake(
            "large_negative_score",
            "a row that may attend to nothing gets equal weights: all its scores are the same large negative number. "
            "What do −inf and a rule for empty rows give?",
            _additive(masking="large"),
        ),
        Mistake(
            "no_softmax",
            "your weights are the raw scores: some are negative and they do not sum to 1. What turns scores into "
            "weights?",
            _additive_no_softmax,
        ),
        Mistake(
            "mean_instead_of_sum",
            "your context is too small by the number of positions. The weights already sum to 1: is there a second "
            "division?",
            _additive(pool="mean"),
        ),
        Mistake(
            "query_times_key",
            "you multiply the projected query with the projected keys. What gives additive attention its name?",
            _additive(combine=torch.mul),
        ),
        Mistake(
            "relu_for_tanh",
            "you use ReLU where the paper has another function. Which one keeps each hidden unit between −1 and 1?",
            _additive(activation=torch.relu),
        ),
        Mistake(
            "scaled",
            "you divide the scores by √h. Is there such a division in this formula?",
            _additive(scale=True),
        ),
        Mistake(
            "order_swapped",
            "you return (weights, context). Which of the two comes first in the docstring?",
            _additive(pool="swapped"),
        ),
        Mistake(
            "overflow",
            "for scores of ±1000 your weights are NaN: exp overflows. Which function of torch subtracts the maximum "
            "first?",
            _additive_overflow,
        ),
        Mistake(
            "weights_detached",
            "the values are right, but the weights are cut off from the graph: no gradient reaches the query. What "
            "does detach() do?",
            _additive_detached,
        ),
        Mistake(
            "empty_rows_by_hand",
            "a row that may attend to nothing gives NaN: its weights are divided by a sum of 0. What should such a row "
            "return?",
            _additive_by_hand,
        ),
    ),
)
