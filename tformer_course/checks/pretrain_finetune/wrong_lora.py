"""LoRALinear with one thing done differently: the known mistakes."""

from __future__ import annotations

import copy
from collections.abc import Callable

import torch
from torch import Tensor, nn


def random_factor(t: Tensor) -> Tensor:
    """As the right lora_a is drawn."""
    return nn.init.normal_(t, std=0.02)


def wrong_lora(
    *,
    scale: Callable[[float, int], float] = lambda alpha, rank: alpha / rank,
    a: Callable = random_factor,
    b: Callable = nn.init.zeros_,
    freeze: bool = True,
    keep: bool = True,
    base: bool = True,
    merge_scale: Callable[[float], float] = lambda s: s,
    merge_bias: bool = True,
    merge_shares: bool = False,
    merge_in_place: bool = False,
    merge_base_only: bool = False,
    frozen_factors: bool = False,
) -> type:
    """The layer with one thing done differently."""

    class LoRALinear(nn.Module):
        def __init__(self, linear: nn.Linear, rank: int, alpha: float) -> None:
            super().__init__()
            self.linear = linear if keep else copy.deepcopy(linear)
            if freeze:
                self.linear.requires_grad_(False)
            self.scale = scale(alpha, rank)
            w = linear.weight
            self.lora_a = nn.Parameter(w.new_empty(rank, w.shape[1]), requires_grad=not frozen_factors)
            self.lora_b = nn.Parameter(w.new_empty(w.shape[0], rank), requires_grad=not frozen_factors)
            with torch.no_grad():
                a(self.lora_a)
                b(self.lora_b)

        def forward(self, x: Tensor) -> Tensor:
            low = self.scale * (x @ self.lora_a.T @ self.lora_b.T)
            return self.linear(x) + low if base else low

        def merge(self) -> nn.Linear:
            old = self.linear
            with torch.no_grad():
                delta = merge_scale(self.scale) * (self.lora_b @ self.lora_a)
                if merge_in_place:
                    old.weight += delta
                    return old
                new = nn.Linear(old.in_features, old.out_features, bias=old.bias is not None and merge_bias)
                new = new.to(old.weight.dtype)
                new.weight.copy_(old.weight if merge_base_only else old.weight + delta)
                if new.bias is not None:
                    new.bias.copy_(old.bias)
                    if merge_shares:
                        new.bias = old.bias
                if merge_shares:
                    new.weight = old.weight
            return new

    return LoRALinear
