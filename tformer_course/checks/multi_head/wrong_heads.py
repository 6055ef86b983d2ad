"""Known wrong answers to split_heads, merge_heads and MultiHeadAttention."""

from __future__ import annotations

import math

import torch
from torch import nn

from ...models.attention import scaled_dot_product_attention
from ...models.multi_head import MultiHeadAttention, merge_heads, split_heads
from ..attention.broken import exp_by_hand, weigh


def view_without_transpose(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} and {num_heads}")
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def split_interleaved(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} and {num_heads}")
    return x.unflatten(-1, (-1, num_heads)).permute(0, 3, 1, 2)


def split_not_moved(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} and {num_heads}")
    return x.unflatten(-1, (num_heads, -1))


def split_widths_swapped(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError(f"{x.shape[-1]} and {num_heads}")
    return x.unflatten(-1, (-1, num_heads)).transpose(1, 2)


def split_rounded_down(x, num_heads):
    width = x.shape[-1] // num_heads
    return x[..., : num_heads * width].unflatten(-1, (num_heads, width)).transpose(1, 2)


def split_unchecked(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def split_says_no_numbers(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("num_heads must divide the width")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def split_asserts(x, num_heads):
    assert x.shape[-1] % num_heads == 0
    return split_heads(x, num_heads)


def merge_without_transpose(x):
    return x.reshape(x.shape[0], x.shape[2], -1)


def merge_interleaved(x):
    return x.permute(0, 2, 3, 1).flatten(-2)


def merge_by_sum(x):
    return x.sum(dim=1)


def merge_by_mean(x):
    return x.mean(dim=1)


def merge_tokens(x):
    return x.flatten(1, 2)


def merge_squeezes(x):
    return merge_heads(x).squeeze()


# --- MultiHeadAttention: each changes one step of the right one


class _Changed(MultiHeadAttention):
    def sources(self, x, context):
        """Where queries, keys and values come from."""
        return x, context, context

    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, mask)

    def finish(self, heads):
        return self.w_o(merge_heads(heads))

    def forward(self, x, context=None, mask=None, return_weights=False):
        of_q, of_k, of_v = self.sources(x, x if context is None else context)
        q = split_heads(self.w_q(of_q), self.num_heads)
        k = split_heads(self.w_k(of_k), self.num_heads)
        v = split_heads(self.w_v(of_v), self.num_heads)
        heads, weights = self.attend(q, k, v, mask)
        return (self.finish(heads), weights) if return_weights else self.finish(heads)


class ScaledByModelWidth(_Changed):
    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q / math.sqrt(self.num_heads), k, v, mask)


class NotScaled(_Changed):
    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q * math.sqrt(q.shape[-1]), k, v, mask)


class NoOutputProjection(_Changed):
    def finish(self, heads):
        return merge_heads(heads)


class ContextAsQuery(_Changed):
    def sources(self, x, context):
        return context, x, x


class QueriesFromContext(_Changed):
    def sources(self, x, context):
        return context, context, context


class ContextIgnored(_Changed):
    def sources(self, x, context):
        return x, x, x


class ValuesFromX(_Changed):
    def sources(self, x, context):
        return x, context, x


class MaskOnFirstHead(_Changed):
    def attend(self, q, k, v, mask):
        if mask is not None:
            everything = torch.ones_like(q[:, 1:, :, :1] @ k[:, 1:, :, :1].mT, dtype=torch.bool)
            mask = torch.cat([mask.expand(q.shape[0], self.num_heads, -1, -1)[:, :1], everything], dim=1)
        return scaled_dot_product_attention(q, k, v, mask)


class MaskInverted(_Changed):
    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)


class MaskIgnored(_Changed):
    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v)


class MaskNotForContext(_Changed):
    def forward(self, x, context=None, mask=None, return_weights=False):
        return super().forward(x, context, mask if context is None else None, return_weights)


class MaskUnsqueezed(_Changed):
    def attend(self, q, k, v, mask):
        return scaled_dot_product_attention(q, k, v, None if mask is None else mask.unsqueeze(1))


class _Plain(_Changed):
    """Softmax written out, with one number at the masked scores."""

    hidden = -math.inf
    over = -1

    def attend(self, q, k, v, mask):
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = (scores if mask is None else scores.masked_fill(~mask, self.hidden)).softmax(self.over)
        return weights @ v, weights


class NanInEmptyRows(_Plain):
    pass


class MaskedWithMinus1e9(_Plain):
    hidden = -1e9


class SoftmaxOverQueries(_Plain):
    over = -2


class MaskAfterSoftmax(_Changed):
    def attend(self, q, k, v, mask):
        weights = scaled_dot_product_attention(q, k, v)[1]
        weights = weights if mask is None else weights * mask
        return weights @ v, weights


class MergedByReshape(_Changed):
    def finish(self, heads):
        return self.w_o(merge_without_transpose(heads))


class WeightsAveraged(_Changed):
    def attend(self, q, k, v, mask):
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return heads, weights.mean(dim=1)


class BiasOnOutputAlways(MultiHeadAttention):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__(d_model, num_heads, bias)
        self.w_o = nn.Linear(d_model, d_model)


class BiasAlways(MultiHeadAttention):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__(d_model, num_heads)


class WeightsDetached(_Changed):
    def attend(self, q, k, v, mask):
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        return heads, weights.detach()


class Overflows(_Changed):
    def attend(self, q, k, v, mask):
        weights = exp_by_hand(q @ k.mT / math.sqrt(q.shape[-1]), mask)
        return weights @ v, weights


class MaskedWithLowScore(_Changed):
    masking = "low"

    def attend(self, q, k, v, mask):
        weights = weigh(q @ k.mT / math.sqrt(q.shape[-1]), mask, masking=self.masking)
        return weights @ v, weights


class Renormalised(MaskedWithLowScore):
    masking = "renormalised"


class OneHeadOfEverything(_Changed):
    def forward(self, x, context=None, mask=None, return_weights=False):
        context = x if context is None else context
        heads, weights = scaled_dot_product_attention(self.w_q(x), self.w_k(context), self.w_v(context))
        weights = weights.unsqueeze(1)
        return (self.w_o(heads), weights) if return_weights else self.w_o(heads)
