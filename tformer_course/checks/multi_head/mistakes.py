"""Known wrong answers of chapter 02, each with the signature of its exercise."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from ...models.attention import masked_softmax, scaled_dot_product_attention
from ...models.multi_head import MultiHeadAttention, attention_entropy, merge_heads, split_heads

# --- split_heads, merge_heads


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


class NoCheck(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()


class NumbersMissing(MultiHeadAttention):
    def __init__(self, d_model, num_heads, bias=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        super().__init__(d_model, num_heads, bias)


class Asserts(MultiHeadAttention):
    def __init__(self, d_model, num_heads, bias=True):
        assert d_model % num_heads == 0
        super().__init__(d_model, num_heads, bias)


class OneHeadOfEverything(_Changed):
    def forward(self, x, context=None, mask=None, return_weights=False):
        context = x if context is None else context
        heads, weights = scaled_dot_product_attention(self.w_q(x), self.w_k(context), self.w_v(context))
        weights = weights.unsqueeze(1)
        return (self.w_o(heads), weights) if return_weights else self.w_o(heads)


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
cost_without_biases = _cost(lambda d, h, n: 4 * d * d)
cost_three_matrices = _cost(lambda d, h, n: 3 * (d * d + d), lambda d, h, n: 6 * n * d * d + 4 * n * n * d)
cost_multiply_add_once = _cost(flops=lambda d, h, n: 4 * n * d * d + 2 * n * n * d)
cost_biases_in_flops = _cost(flops=lambda d, h, n: 8 * n * d * d + 4 * n * d + 4 * n * n * d)
cost_one_product = _cost(flops=lambda d, h, n: 8 * n * d * d + 2 * n * n * d)
cost_no_projections = _cost(flops=lambda d, h, n: 4 * n * n * d)
cost_of_one_map = _cost(entries=lambda d, h, n: n * n)
cost_of_outputs = _cost(entries=lambda d, h, n: n * d)


# --- capture_attention


def _attention_modules(model, inner=True):
    found = [m for m in model.modules() if type(m).__name__.endswith("Attention")]
    return [m for m in found if not inner or not any(c in found for c in m.modules() if c is not m)]


def _capture(model, inputs, keep, inner=True, remove="always", no_grad=True, swallow=False, evaluate=False):
    captured = []
    handles = [
        m.register_forward_hook(lambda module, args, output: captured.append(keep(output)))
        for m in _attention_modules(model, inner)
    ]
    if evaluate:
        model.eval()
    try:
        with torch.set_grad_enabled(not no_grad):
            model(**inputs)
    except Exception:
        if not swallow:
            if remove == "always":
                for handle in handles:
                    handle.remove()
            raise
    if remove != "never":
        for handle in handles:
            handle.remove()
    return captured


def capture_leaves_hooks(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), remove="never")


def capture_leaves_hooks_on_error(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), remove="on success")


def capture_context(model, inputs):
    return _capture(model, inputs, lambda out: out[0].detach())


def capture_keeps_graph(model, inputs):
    return _capture(model, inputs, lambda out: out[1], no_grad=False)


def capture_twice(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), inner=False)


def capture_swallows(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), swallow=True)


def capture_changes_mode(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), evaluate=True)


def capture_forces_mode(model, inputs):
    try:
        return capture_changes_mode(model, inputs)
    finally:
        model.train()


def capture_sorts_names(model, inputs):
    maps = _capture(model, inputs, lambda out: out[1].detach())
    return [maps[i] for i in sorted(range(len(maps)), key=str)]


def capture_changes_inputs(model, inputs):
    inputs["output_attentions"] = True
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_changes_config(model, inputs):
    model.config.output_attentions = True
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_leaves_gradients_off(model, inputs):
    torch.set_grad_enabled(False)
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_freezes(model, inputs):
    model.requires_grad_(False)
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_drops_batch(model, inputs):
    return _capture(model, inputs, lambda out: out[1][0].detach())


def capture_averages(model, inputs):
    return _capture(model, inputs, lambda out: out[1].mean(1).detach())


def capture_by_flag(model, inputs):
    attentions = model(**inputs, output_attentions=True).attentions
    return [weights.detach() for weights in attentions or ()]


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
