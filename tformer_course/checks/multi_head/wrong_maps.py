"""Known wrong answers to average_heads and attention_entropy."""

from __future__ import annotations

import math

import torch

from ...models.multi_head import attention_entropy

# --- average_heads


def average_softmax_again(weights):
    return weights.mean(-3).softmax(-1)


def average_softmax_first(weights):
    return weights.softmax(-1).mean(-3)


def average_over_queries(weights):
    return weights.mean(-2)


def average_over_keys(weights):
    return weights.mean(-1)


def average_over_first_axis(weights):
    return weights.mean(0)


def average_max(weights):
    return weights.amax(-3)


def average_sum(weights):
    return weights.sum(-3)


def average_renormalised(weights):
    mean = weights.mean(-3)
    return mean / mean.sum(-1, keepdim=True)


def average_squeezes(weights):
    return weights.mean(-3).squeeze()


def average_keeps_axis(weights):
    return weights.mean(-3, keepdim=True)


# --- attention_entropy, effective_rank, saturation


def _keys(weights, mask):
    return torch.tensor(weights.shape[-1]) if mask is None else mask.expand_as(weights).sum(-1)


def _nats(weights):
    return 0.0 - torch.special.xlogy(weights, weights).sum(-1)


def _divided(entropy, keys):
    most = keys.clamp(min=2).to(entropy.dtype).log()
    return torch.where(keys > 1, entropy / most, 0.0)


def entropy_log_zero(weights, mask=None):
    return _divided(0.0 - (weights * weights.log()).sum(-1), _keys(weights, mask))


def entropy_epsilon(weights, mask=None):
    return _divided(0.0 - (weights * (weights + 1e-9).log()).sum(-1), _keys(weights, mask))


def entropy_clamped(weights, mask=None):
    return _divided(0.0 - (weights * weights.clamp(min=1e-3).log()).sum(-1), _keys(weights, mask))


def entropy_of_padded_length(weights, mask=None):
    return attention_entropy(weights)


def entropy_of_mask_before_broadcasting(weights, mask=None):
    keys = _keys(weights, None) if mask is None else mask.sum(-1)
    return _divided(_nats(weights), keys.expand(weights.shape[:-1]))


def entropy_of_seen_keys(weights, mask=None):
    return _divided(_nats(weights), (weights > 0).sum(-1))


def entropy_in_nats(weights, mask=None):
    return _nats(weights)


def entropy_in_bits(weights, mask=None):
    return _nats(weights) / math.log(2)


def entropy_bits_over_nats(weights, mask=None):
    return attention_entropy(weights, mask) / math.log(2)


def entropy_by_queries(weights, mask=None):
    return _nats(weights) / math.log(max(2, weights.shape[-2]))


def entropy_mean(weights, mask=None):
    return attention_entropy(weights, mask).mean()


def entropy_over_queries(weights, mask=None):
    return attention_entropy(weights.transpose(-2, -1))


def entropy_nan_for_one_key(weights, mask=None):
    return _nats(weights) / _keys(weights, mask).to(weights.dtype).log()


def entropy_not_negated(weights, mask=None):
    return -attention_entropy(weights, mask)
