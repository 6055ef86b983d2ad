"""Mixtures of experts: who computes what, and how the load is kept even."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor


def route_top_k(logits: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """The k experts with the largest logits, weighted by a softmax over these k alone.

    Args:
        logits: `(…, E)`.
        k: Experts per token.

    Returns:
        Weights `(…, k)`, which sum to 1, and indices `(…, k)`, the largest first.

    Source:
        Shazeer et al. 2017 (arXiv 1701.06538), equations 3 to 5 without noise; Mixtral (arXiv 2401.04088), section 2.1.
    """
    chosen, indices = logits.topk(k, dim=-1)
    return torch.softmax(chosen, dim=-1), indices


def moe_forward(
    x: Tensor, router: Callable[[Tensor], Tensor], experts: Sequence[Callable[[Tensor], Tensor]], k: int
) -> Tensor:
    """Σ over the k chosen experts of weight · expert(x), each expert called once, on its own tokens alone.

    Args:
        x: `(tokens, d)`.
        router: Maps `(tokens, d)` to logits `(tokens, E)`.
        experts: E callables `(n, d)` → `(n, d)`.
        k: Experts per token.

    Returns:
        `(tokens, d)`.
    """
    weights, indices = route_top_k(router(x), k)  # (tokens, k) twice
    output = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        token, slot = (indices == e).nonzero(as_tuple=True)
        if token.numel():
            output = output.index_add(0, token, weights[token, slot, None] * expert(x[token]))
    return output


def expert_capacity(tokens: int, num_experts: int, k: int, factor: float) -> int:
    """Tokens that one expert takes at most: ⌈factor · tokens · k / E⌉.

    Source:
        Fedus, Zoph, Shazeer 2021 (Switch, arXiv 2101.03961), equation 3, for k choices.

    >>> expert_capacity(64, 8, 1, 1.25)
    10
    """
    return math.ceil(factor * tokens * k / num_experts)


def moe_with_capacity(
    x: Tensor,
    router: Callable[[Tensor], Tensor],
    experts: Sequence[Callable[[Tensor], Tensor]],
    k: int,
    factor: float,
) -> tuple[Tensor, int]:
    """`moe_forward` where an expert takes the first `expert_capacity` choices only; the others are dropped.

    Returns:
        `(tokens, d)`, 0 for a token that was dropped by all its experts, and the number of dropped choices.
    """
    weights, indices = route_top_k(router(x), k)
    capacity = expert_capacity(x.shape[0], len(experts), k, factor)
    output, dropped = torch.zeros_like(x), 0
    for e, expert in enumerate(experts):
        token, slot = (indices == e).nonzero(as_tuple=True)
        dropped += max(0, token.numel() - capacity)
        token, slot = token[:capacity], slot[:capacity]
        if token.numel():
            output = output.index_add(0, token, weights[token, slot, None] * expert(x[token]))
    return output, dropped


def load_balancing_loss(router_probs: Tensor, indices: Tensor, num_experts: int) -> Tensor:
    """E Σ_e f_e P_e: share of the choices that fell on e, times the mean probability of e.

    Args:
        router_probs: `(…, E)`, softmax over all experts.
        indices: `(…, k)`, the chosen ones.
        num_experts: E.

    Returns:
        A number, 1 where both are uniform; its gradient flows through the probabilities alone.

    Source:
        Fedus, Zoph, Shazeer 2021 (arXiv 2101.03961), equations 4 to 6; shares are divided by k, so that 1 is uniform.
    """
    flat = indices.reshape(-1)
    share = torch.bincount(flat, minlength=num_experts).to(router_probs.dtype) / max(1, flat.numel())  # (E,)
    tokens = router_probs.reshape(-1, num_experts)
    mean = tokens.sum(dim=0) / max(1, tokens.shape[0])  # (E,)
    return num_experts * (share * mean).sum()


def router_z_loss(logits: Tensor) -> Tensor:
    """Mean of (log Σ_e exp(logit_e))²: keeps the router's logits small, so that rounding does not decide.

    Args:
        logits: `(…, E)`.

    Returns:
        Scalar.

    Source:
        Zoph et al. 2022 (ST-MoE, arXiv 2202.08906), equation 5.
    """
    return torch.logsumexp(logits, dim=-1).square().mean()


def update_expert_bias(bias: Tensor, load: Tensor, rate: float) -> Tensor:
    """One step of balancing without a loss: up for experts with too few tokens, down for those with too many.

    The bias is added to the scores when experts are chosen, and not when their outputs are weighted.

    Args:
        bias: `(E,)`.
        load: `(E,)`, tokens per expert, integer or float.
        rate: Step size.

    Returns:
        `(E,)`, in bias's dtype.

    Source:
        Wang et al. 2024 (arXiv 2408.15664), algorithm 1; DeepSeek-V3 (arXiv 2412.19437), section 2.1.2.
    """
    load = load.to(bias.dtype)
    return bias + rate * torch.sign(load.mean() - load)
