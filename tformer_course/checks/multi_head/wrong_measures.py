"""Known wrong answers to effective_rank, saturation and head_importance."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def rank_counted(matrix):
    return float(torch.linalg.matrix_rank(matrix))


def rank_of_squares(matrix):
    energy = torch.linalg.svdvals(matrix) ** 2
    p = energy / energy.sum()
    return math.exp(torch.special.entr(p).sum().item())


def rank_without_exp(matrix):
    s = torch.linalg.svdvals(matrix)
    return torch.special.entr(s / s.sum()).sum().item()


def rank_not_normalised(matrix):
    return math.exp(min(50.0, torch.special.entr(torch.linalg.svdvals(matrix)).sum().item()))


def rank_log_zero(matrix):
    s = torch.linalg.svdvals(matrix)
    p = s / s.sum()
    return float(torch.exp(-(p * p.log()).sum()))


def rank_with_threshold(matrix):
    s = torch.linalg.svdvals(matrix)
    s = s[s > 1e-6]
    return math.exp(torch.special.entr(s / s.sum()).sum().item())


def rank_in_bits(matrix):
    s = torch.linalg.svdvals(matrix)
    return math.exp(torch.special.entr(s / s.sum()).sum().item() / math.log(2))


def rank_by_largest(matrix):
    s = torch.linalg.svdvals(matrix)
    return float(s.sum() / s.max())


def saturation_at_least(weights, threshold=0.95):
    return (weights.amax(-1) >= threshold).double().mean().item()


def saturation_of_entries(weights, threshold=0.95):
    return (weights > threshold).double().mean().item()


def saturation_of_columns(weights, threshold=0.95):
    return (weights.amax(-2) > threshold).double().mean().item()


def saturation_fixed(weights, threshold=0.95):
    return (weights.amax(-1) > 0.95).double().mean().item()


def saturation_of_mean_map(weights, threshold=0.95):
    mean = weights.mean(-3) if weights.ndim > 2 else weights
    return (mean.amax(-1) > threshold).double().mean().item()


def saturation_of_first_key(weights, threshold=0.95):
    return (weights[..., 0] > threshold).double().mean().item()


def saturation_below(weights, threshold=0.95):
    return (weights.amax(-1) < threshold).double().mean().item()


def saturation_skips_empty(weights, threshold=0.95):
    over = (weights.amax(-1) > threshold).double().sum()
    return (over / (weights.sum(-1) > 0).sum()).item()


def saturation_counts(weights, threshold=0.95):
    return float((weights.amax(-1) > threshold).sum())


def saturation_mean_of_largest(weights, threshold=0.95):
    return weights.amax(-1).mean().item()


# --- head_importance


def _one_off(num_heads, head):
    on = torch.ones(num_heads)
    on[head] = 0.0
    return on


def _one_on(num_heads, head):
    return 1.0 - _one_off(num_heads, head)


def _losses(loss_fn, num_heads, mask=_one_off) -> Tensor:
    return torch.stack([torch.as_tensor(loss_fn(mask(num_heads, h))).detach() for h in range(num_heads)])


def importance_only_on(loss_fn, num_heads):
    return _losses(loss_fn, num_heads, _one_on) - loss_fn(torch.ones(num_heads)).detach()


def importance_only_on_gain(loss_fn, num_heads):
    return loss_fn(torch.zeros(num_heads)).detach() - _losses(loss_fn, num_heads, _one_on)


def importance_sign(loss_fn, num_heads):
    return loss_fn(torch.ones(num_heads)).detach() - _losses(loss_fn, num_heads)


def importance_loss_itself(loss_fn, num_heads):
    return _losses(loss_fn, num_heads)


def importance_absolute(loss_fn, num_heads):
    return (_losses(loss_fn, num_heads) - loss_fn(torch.ones(num_heads)).detach()).abs()


def importance_relative(loss_fn, num_heads):
    whole = loss_fn(torch.ones(num_heads)).detach()
    return (_losses(loss_fn, num_heads) - whole) / whole


def importance_heads_stay_off(loss_fn, num_heads):
    on, rises = torch.ones(num_heads), []
    whole = loss_fn(on.clone()).detach()
    for head in range(num_heads):
        on[head] = 0.0
        rises.append(loss_fn(on.clone()).detach() - whole)
    return torch.stack(rises)


def importance_same_mask(loss_fn, num_heads):
    on, rises = torch.ones(num_heads), []
    whole = loss_fn(on).detach()
    for head in range(num_heads):
        on[head] = 0.0
        rises.append(loss_fn(on).detach() - whole)
        on[head] = 1.0
    return torch.stack(rises)


def importance_keeps_graph(loss_fn, num_heads):
    whole = loss_fn(torch.ones(num_heads))
    return torch.stack([loss_fn(_one_off(num_heads, h)) - whole for h in range(num_heads)])


def importance_bool(loss_fn, num_heads):
    whole = loss_fn(torch.ones(num_heads).bool()).detach()
    return _losses(loss_fn, num_heads, lambda h, i: _one_off(h, i).bool()) - whole


def importance_gradient(loss_fn, num_heads):
    on = torch.ones(num_heads, requires_grad=True)
    return -torch.autograd.grad(loss_fn(on), on)[0]


def importance_clamped(loss_fn, num_heads):
    return (_losses(loss_fn, num_heads) - loss_fn(torch.ones(num_heads)).detach()).clamp(min=0)


def importance_from_none(loss_fn, num_heads):
    return _losses(loss_fn, num_heads) - loss_fn(torch.zeros(num_heads)).detach()
