"""scaled_dot_product_attention, and what is likely to go wrong in it."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake
from .broken import empty_second_row, exp_by_hand, weigh


def _dot(
    scale: Callable = lambda q, k, v: 1 / math.sqrt(q.shape[-1]),
    axis: int = -1,
    masking: str = "right",
    pool: str = "values",
    repaired: bool = False,
) -> Callable:
    def scaled_dot_product_attention(q, k, v, mask=None):
        scores = q @ k.transpose(-2, -1) * scale(q, k, v)  # (…, T, S)
        weights = weigh(scores, mask, axis, masking)
        output = weights @ (k if pool == "keys" else v)
        if repaired:
            output, weights = output.nan_to_num(0.0), weights.nan_to_num(0.0)
        return (weights, output) if pool == "swapped" else (output, weights)

    return scaled_dot_product_attention


def _dot_by_hand(q, k, v, mask=None):
    weights = exp_by_hand(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), mask)
    return weights @ v, weights


def _dot_no_softmax(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = scores if mask is None else scores.masked_fill(~mask, 0.0)
    return weights @ v, weights


def _dot_scaled_after(q, k, v, mask=None):
    weights = weigh(q @ k.transpose(-2, -1), mask) / math.sqrt(q.shape[-1])
    return weights @ v, weights


def _dot_all_axes(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    scores = scores if mask is None else scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores.flatten(-2), -1).view_as(scores)
    return weights @ v, weights


def _dot_scores_returned(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    output = weigh(scores, mask) @ v
    return output, scores if mask is None else scores.masked_fill(~mask, -math.inf)


def _dot_weights_before_mask(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return weigh(scores, mask) @ v, torch.softmax(scores, -1)


def _dot_softmax_twice(q, k, v, mask=None):
    weights = torch.softmax(weigh(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), mask), -1)
    return weights @ v, weights


def _dot_detached(q, k, v, mask=None):
    weights = weigh(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), mask).detach()
    return weights @ v, weights


def _dot_keys_reshaped(q, k, v, mask=None):
    scores = q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(q.shape[-1])
    weights = weigh(scores, mask)
    return weights @ v, weights


def _qkv(draw, *lead: int, dtype=torch.float64, scale: float = 1.0) -> list[Tensor]:
    # T = 5, S = 7, D = 4, V = 3: √D, D, √S, √T and √V are five different divisors.
    shapes = ((*lead, 5, 4), (*lead, 7, 4), (*lead, 7, 3))
    q, k, v = (draw.normal(*shape, dtype=dtype) for shape in shapes)
    return [q * scale, k * scale, v]


SCALED_DOT_PRODUCT_ATTENTION = Exercise(
    name="scaled_dot_product_attention",
    points=4,
    reference=reference.scaled_dot_product_attention,
    helpers=(reference.masked_softmax,),
    cases=(
        Case("values", lambda draw: _qkv(draw, 2), grad=True),
        Case("masks", lambda draw: [*_qkv(draw, 2, 3), draw.mask(2, 1, 5, 7, keep=0.5)], grad=True),
        Case("empty rows", lambda draw: [*_qkv(draw, 2), empty_second_row(draw.mask(5, 7))], grad=True),
        Case("large scores", lambda draw: _qkv(draw, scale=40.0)),
        Case("float32", lambda draw: _qkv(draw, 2, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "no_scaling",
            "your scores are not scaled, so the softmax is too sharp. What does the formula divide q·k by?",
            _dot(scale=lambda q, k, v: 1.0),
        ),
        Mistake(
            "scaled_by_d_k",
            "you divide the scores by d_k, so the softmax is too flat. By which power of d_k does the spread of q·k "
            "grow?",
            _dot(scale=lambda q, k, v: 1 / q.shape[-1]),
        ),
        Mistake(
            "scaled_by_root_of_keys",
            "you divide by the square root of the number of keys. Over which axis is the dot product summed?",
            _dot(scale=lambda q, k, v: 1 / math.sqrt(k.shape[-2])),
        ),
        Mistake(
            "scaled_by_root_of_queries",
            "you divide by the square root of the number of queries. Over which axis is the dot product summed?",
            _dot(scale=lambda q, k, v: 1 / math.sqrt(q.shape[-2])),
        ),
        Mistake(
            "scaled_by_root_of_d_v",
            "you divide by the square root of the width of the values. Do the values take part in the scores?",
            _dot(scale=lambda q, k, v: 1 / math.sqrt(v.shape[-1])),
        ),
        Mistake(
            "scaled_by_eight",
            "you divide the scores by 8, which fits the paper's d_k = 64. What does the divisor depend on?",
            _dot(scale=lambda q, k, v: 1 / 8),
        ),
        Mistake(
            "multiplied_by_root",
            "you multiply the scores by √d_k. Should the scores get larger or smaller?",
            _dot(scale=lambda q, k, v: math.sqrt(q.shape[-1])),
        ),
        Mistake(
            "softmax_over_queries",
            "your weights sum to 1 over the queries (axis −2), not over the keys. Which axis does softmax run over?",
            _dot(axis=-2),
        ),
        Mistake(
            "softmax_over_batch",
            "your weights sum to 1 over the first axis, the batch. Which axis does softmax run over?",
            _dot(axis=0),
        ),
        Mistake(
            "softmax_over_all",
            "all weights of a head together sum to 1. How many distributions are there: one per head, or one per "
            "query?",
            _dot_all_axes,
        ),
        Mistake(
            "scaled_after_softmax",
            "your rows sum to 1/√d_k: the scaling came after the softmax. Where does it stand in the formula?",
            _dot_scaled_after,
        ),
        Mistake(
            "softmax_twice",
            "softmax runs over your weights a second time, which flattens them. How often does the formula have it?",
            _dot_softmax_twice,
        ),
        Mistake(
            "scores_returned",
            "your output is right, but you return the scores with it. What does the docstring ask for as the second "
            "value?",
            _dot_scores_returned,
        ),
        Mistake(
            "weights_detached",
            "the values are right, but the weights are cut off from the graph: no gradient reaches queries and keys. "
            "What does detach() do?",
            _dot_detached,
        ),
        Mistake(
            "output_only",
            "you return the output alone. What does the docstring ask for as the second value?",
            lambda q, k, v, mask=None: _dot()(q, k, v, mask)[0],
        ),
        Mistake(
            "keys_reshaped",
            "your keys are reshaped to (…, D, S), which mixes the entries of different keys. Which function swaps two "
            "axes?",
            _dot_keys_reshaped,
        ),
        Mistake(
            "no_softmax",
            "your weights are the scaled scores: some are negative and they do not sum to 1. What turns scores into "
            "weights?",
            _dot_no_softmax,
        ),
        Mistake(
            "keys_averaged",
            "your output is a weighted sum of the keys. The keys decide where to look; what is read there?",
            _dot(pool="keys"),
        ),
        Mistake(
            "order_swapped",
            "you return (weights, output). Which of the two comes first in the docstring?",
            _dot(pool="swapped"),
        ),
        Mistake(
            "mask_inverted",
            "your weights sit on the keys that the mask forbids. In this course, what does True mean?",
            _dot(masking="inverted"),
        ),
        Mistake(
            "masked_scores_zero",
            "you set masked scores to 0, but exp(0) is 1, so they still get weight. Which score has the exponential 0?",
            _dot(masking="zero"),
        ),
        Mistake(
            "mask_after_softmax",
            "with a mask your rows sum to less than 1: the mask came after the softmax. What must a masked score be, "
            "so that softmax itself gives 0?",
            _dot(masking="after"),
        ),
        Mistake(
            "weights_before_mask",
            "your output is right, but the weights that you return know nothing of the mask. Which weights made the "
            "output?",
            _dot_weights_before_mask,
        ),
        Mistake(
            "mask_ignored",
            "the mask changes nothing in your result. Where between the scores and the softmax does it belong?",
            _dot(masking="ignored"),
        ),
        Mistake(
            "nan_in_empty_rows",
            "a row that may attend to nothing gives NaN, because softmax divides 0 by 0. What should such a row "
            "return, and what can you feed softmax instead?",
            _dot(masking="nan"),
        ),
        Mistake(
            "nan_in_gradient_of_values",
            "the values are right, but an empty row has NaN in a gradient: the output is repaired after NaN weights "
            "met the values, and 0 · NaN is NaN on the way back. Can the weights be free of NaN from the start?",
            _dot(masking="nan", repaired=True),
        ),
        Mistake(
            "nan_in_gradient_of_scores",
            "the values are right, but an empty row has NaN in a gradient: softmax saw a row of −inf, and its backward "
            "pass makes NaN. Which scores could an empty row get instead, before its weights become 0?",
            _dot(masking="added"),
        ),
        Mistake(
            "large_negative_score",
            "a row that may attend to nothing gets equal weights: all its scores are the same large negative number. "
            "What do −inf and a rule for empty rows give?",
            _dot(masking="large"),
        ),
        Mistake(
            "overflow",
            "for large scores, or for a row without any key, your weights are NaN: exp overflows, or the sum is 0. "
            "Which function of torch subtracts the maximum first, and what do empty rows need?",
            _dot_by_hand,
        ),
    ),
)
