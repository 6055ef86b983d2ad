"""Known wrong answers to grouped_query_attention and mha_cost."""

from __future__ import annotations

import math

from ...models.attention import masked_softmax, scaled_dot_product_attention
from ..attention.broken import exp_by_hand, weigh

# --- grouped_query_attention


def _gqa(q, k, v, mask):
    return scaled_dot_product_attention(q, k, v, mask)[0]


def gqa_repeat(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return _gqa(q, k.repeat(1, times, 1, 1), v.repeat(1, times, 1, 1), mask)


def gqa_values_repeat(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return _gqa(q, k.repeat_interleave(times, 1), v.repeat(1, times, 1, 1), mask)


def gqa_groups_averaged(q, k, v, mask=None):
    return _gqa(q, k.mean(1, keepdim=True), v.mean(1, keepdim=True), mask)


def gqa_queries_averaged(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    mean = q.unflatten(1, (-1, times)).mean(2)
    return _gqa(mean.repeat_interleave(times, 1), k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), mask)


def gqa_first_head(q, k, v, mask=None):
    return _gqa(q, k[:, :1], v[:, :1], mask)


def gqa_not_scaled(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    scores = q @ k.repeat_interleave(times, 1).transpose(-2, -1)
    return masked_softmax(scores, mask) @ v.repeat_interleave(times, 1)


def _weighed(weigh_scores):
    def grouped_query_attention(q, k, v, mask=None):
        times = q.shape[1] // k.shape[1]
        scores = q @ k.repeat_interleave(times, 1).mT / math.sqrt(q.shape[-1])
        return weigh_scores(scores, mask) @ v.repeat_interleave(times, 1)

    return grouped_query_attention


gqa_overflow = _weighed(exp_by_hand)
gqa_low_score = _weighed(lambda scores, mask: weigh(scores, mask, masking="low"))
gqa_renormalised = _weighed(lambda scores, mask: weigh(scores, mask, masking="renormalised"))


def gqa_mask_ignored(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return _gqa(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), None)


def gqa_mask_inverted(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    mask = None if mask is None else ~mask
    return _gqa(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), mask)


def gqa_mask_of_first(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    if mask is not None:
        mask = mask.expand(*q.shape[:3], k.shape[2])[:, ::times].repeat_interleave(times, 1)
    return _gqa(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), mask)


def gqa_pair(q, k, v, mask=None):
    times = q.shape[1] // k.shape[1]
    return scaled_dot_product_attention(q, k.repeat_interleave(times, 1), v.repeat_interleave(times, 1), mask)


def _gqa_plain(q, k, v, mask, hidden):
    times = q.shape[1] // k.shape[1]
    scores = q @ k.repeat_interleave(times, 1).mT / math.sqrt(q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(~mask, hidden)).softmax(-1)
    return weights @ v.repeat_interleave(times, 1)


def gqa_nan(q, k, v, mask=None):
    return _gqa_plain(q, k, v, mask, -math.inf)


def gqa_minus_1e9(q, k, v, mask=None):
    return _gqa_plain(q, k, v, mask, -1e9)


# --- mha_cost: a dict with one wrong entry is matched entry by entry


def _cost(parameters=None, flops=None, entries=None):
    def cost(d_model, num_heads, n):
        d, h = d_model, num_heads
        return {
            "parameters": parameters(d, h, n) if parameters else 4 * (d * d + d),
            "flops": flops(d, h, n) if flops else 8 * n * d * d + 4 * n * n * d,
            "attention_entries": entries(d, h, n) if entries else h * n * n,
        }

    return cost


cost_times_heads = _cost(lambda d, h, n: h * 4 * (d * d + d), lambda d, h, n: h * (8 * n * d * d + 4 * n * n * d))
cost_products_times_heads = _cost(flops=lambda d, h, n: 8 * n * d * d + 4 * h * n * n * d)
cost_divided_by_heads = _cost(
    lambda d, h, n: 4 * (d * d // h + d // h),
    lambda d, h, n: (8 * n * d * d + 4 * n * n * d) // h,
    lambda d, h, n: n * n // h,
)
cost_projections_divided = _cost(flops=lambda d, h, n: 8 * n * d * (d // h) + 4 * n * n * d)
cost_products_divided = _cost(flops=lambda d, h, n: 8 * n * d * d + 4 * n * n * d // h)
cost_without_biases = _cost(lambda d, h, n: 4 * d * d)
cost_three_matrices = _cost(lambda d, h, n: 3 * (d * d + d), lambda d, h, n: 6 * n * d * d + 4 * n * n * d)
cost_multiply_add_once = _cost(flops=lambda d, h, n: 4 * n * d * d + 2 * n * n * d)
cost_biases_in_flops = _cost(flops=lambda d, h, n: 8 * n * d * d + 4 * n * d + 4 * n * n * d)
cost_one_product = _cost(flops=lambda d, h, n: 8 * n * d * d + 2 * n * n * d)
cost_no_projections = _cost(flops=lambda d, h, n: 4 * n * n * d)
cost_of_one_map = _cost(entries=lambda d, h, n: n * n)
cost_of_outputs = _cost(entries=lambda d, h, n: n * d)
