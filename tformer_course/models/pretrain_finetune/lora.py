"""Low-rank adaptation: a frozen layer plus the product of two small matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import Tensor, nn


class LoRALinear(nn.Module):
    """A linear layer whose weight stays, and a correction of rank r that is trained in its place.

    y = W x + b + (α / r) · B A x, with `lora_a` A `(r, in)` random and `lora_b` B `(out, r)` zero, so that nothing
    changes at first.

    Args:
        linear: The layer; kept as `self.linear` and frozen in place.
        rank: r.
        alpha: α; the correction is scaled by α / r.

    Source:
        Hu et al. 2021 (arXiv 2106.09685), section 4.1.
    """

    def __init__(self, linear: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        self.linear, self.scale = linear.requires_grad_(False), alpha / rank
        weight = linear.weight
        self.lora_a = nn.Parameter(weight.new_empty(rank, linear.in_features))
        self.lora_b = nn.Parameter(weight.new_zeros(linear.out_features, rank))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))  # as the authors' code and peft do

    def forward(self, x: Tensor) -> Tensor:
        """`(…, in)` → `(…, out)`."""
        low = x @ self.lora_a.T  # (…, r): the wide matrix B A is never built
        return self.linear(x) + self.scale * (low @ self.lora_b.T)

    @torch.no_grad()
    def merge(self) -> nn.Linear:
        """A new, independent layer that computes the same without extra cost."""
        old = self.linear
        merged = nn.Linear(
            old.in_features,
            old.out_features,
            bias=old.bias is not None,
            device=old.weight.device,
            dtype=old.weight.dtype,
        )
        merged.weight.copy_(old.weight + self.scale * (self.lora_b @ self.lora_a))
        if old.bias is not None:
            merged.bias.copy_(old.bias)
        return merged


def add_lora(model: nn.Module, rank: int, alpha: float, names: Iterable[str]) -> nn.Module:
    """Freeze a model and put a `LoRALinear` around each linear layer of these names; the model is changed and returned.

    Args:
        model: Any module.
        rank, alpha: As in `LoRALinear`.
        names: Last parts of the layers' names, for example `("q_proj", "v_proj")`.

    Raises:
        ValueError: Where no linear layer has such a name.
    """
    names = set(names)
    model.requires_grad_(False)
    found = [
        (parent, name, child)
        for parent in list(model.modules())
        for name, child in parent.named_children()
        if name in names and isinstance(child, nn.Linear)
    ]
    if not found:
        raise ValueError(f"no linear layer of the model is called {' or '.join(sorted(names))}")
    for parent, name, child in found:
        setattr(parent, name, LoRALinear(child, rank, alpha))
    return model


def merge_lora(model: nn.Module) -> nn.Module:
    """Replace every `LoRALinear` inside a model by its merged layer; the model is changed and returned."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, LoRALinear):
                setattr(parent, name, child.merge())
    return model


def trainable_share(model: nn.Module) -> float:
    """Share of the parameters' elements that a step can change, 0 … 1; shared ones count once, buffers not.

    Args:
        model: Any module.

    >>> layer = LoRALinear(nn.Linear(100, 100, bias=False), rank=1, alpha=1)
    >>> round(trainable_share(layer), 4)  # 200 of 10,200
    0.0196
    """
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]  # parameters() names a shared one once
    total = sum(size for size, _ in sizes)
    return sum(size for size, trainable in sizes if trainable) / total if total else 0.0
