"""Random weights for a block, by parameter name; a way to call a module with them, and what it must then give."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.multi_head import MultiHeadAttention


def attention_weights(draw, name: str, width: int, dtype=torch.float64) -> dict[str, Tensor]:
    scale = 1 / math.sqrt(width)
    return {
        f"{name}.w_{part}.{kind}": draw.normal(*shape, dtype=dtype, scale=scale)
        for part in "qkvo"
        for kind, shape in (("weight", (width, width)), ("bias", (width,)))
    }


def norm_and_ffn_weights(draw, norms: int, width: int, hidden: int, dtype=torch.float64) -> dict[str, Tensor]:
    found = {}
    for i in range(1, norms + 1):
        found[f"norm{i}.weight"] = draw.normal(width, dtype=dtype, scale=0.3) + 1
        found[f"norm{i}.bias"] = draw.normal(width, dtype=dtype, scale=0.3)
    for i, (fan_in, fan_out) in ((0, (width, hidden)), (2, (hidden, width))):
        found[f"ffn.{i}.weight"] = draw.normal(fan_out, fan_in, dtype=dtype, scale=1 / math.sqrt(fan_in))
        found[f"ffn.{i}.bias"] = draw.normal(fan_out, dtype=dtype, scale=0.5)
    return found


def block_weights(draw, width: int, hidden: int, dtype=torch.float64) -> dict[str, Tensor]:
    """Weights of a TransformerBlock, by parameter name."""
    return attention_weights(draw, "attn", width, dtype) | norm_and_ffn_weights(draw, 2, width, hidden, dtype)


def decoder_weights(draw, width: int, hidden: int, dtype=torch.float64) -> dict[str, Tensor]:
    """Weights of a DecoderBlock, by parameter name."""
    attention = attention_weights(draw, "self_attn", width, dtype) | attention_weights(draw, "cross_attn", width, dtype)
    return attention | norm_and_ffn_weights(draw, 3, width, hidden, dtype)


def parameter_shapes(answer, *sizes):
    return sorted(f"{name} {tuple(p.shape)}" for name, p in answer(*sizes).named_parameters())


def differences(right: set[str], found: set[str]) -> str:
    """What is missing and what is too much, in words; empty where the names agree."""
    lists = (("missing", sorted(right - found)), ("not wanted", sorted(found - right)))
    return "; ".join(f"{what}: {', '.join(n[:4])}{', …' if len(n) > 4 else ''}" for what, n in lists if n)


def names_fit(reference: Callable) -> Callable:
    """A predicate for a check: which parameters are missing, and which are there but not wanted."""

    def holds(found: list[str], *sizes) -> bool | str:
        says = differences(set(parameter_shapes(reference, *sizes)), set(found))
        return f"names and shapes of your parameters differ. {says}" if says else True

    return holds


def load(module, weights):
    """The module as a function that uses these weights; buffers stay, and any of a parameter's names counts."""
    module = module.to(next(iter(weights.values())).dtype)
    names: dict[int, set[str]] = {}
    found = {}
    for name, p in module.named_parameters(remove_duplicate=False):
        names.setdefault(id(p), set()).add(name)
        found[name] = f"{name} {tuple(p.shape)}"
    for same in names.values():
        wanted = sorted(same & set(weights))
        if len(wanted) > 1:
            raise AttributeError(f"{' and '.join(wanted)} are one and the same parameter")
        for name in same - {wanted[0] if wanted else min(same)}:
            del found[name]
    right = {f"{name} {tuple(w.shape)}" for name, w in weights.items()}
    if says := differences(right, set(found.values())):
        raise AttributeError(f"names and shapes of your parameters differ. {says}")
    given = {**dict(module.named_buffers()), **weights}
    return lambda *a, **k: torch.func.functional_call(module, given, a, k, strict=True)


def branches(weights: dict[str, Tensor], width: int):
    """The two pre-norm branches of a TransformerBlock with two heads, as functions of the stream."""

    def normed(x, i):
        return F.layer_norm(x, (width,), weights[f"norm{i}.weight"], weights[f"norm{i}.bias"])

    def attn(x, mask=None, norm=True):
        module = MultiHeadAttention(width, 2).to(x.dtype)
        mine = {k.removeprefix("attn."): v for k, v in weights.items() if k.startswith("attn.")}
        return torch.func.functional_call(module, mine, (normed(x, 1) if norm else x,), {"mask": mask})

    def ffn(x, norm=True):
        h = F.gelu(F.linear(normed(x, 2) if norm else x, weights["ffn.0.weight"], weights["ffn.0.bias"]))
        return F.linear(h, weights["ffn.2.weight"], weights["ffn.2.bias"])

    return attn, ffn


def right_block(weights: dict[str, Tensor], norm: str, x: Tensor, mask: Tensor | None = None) -> Tensor:
    """What a TransformerBlock with two heads gives, from its weights alone."""
    width = x.shape[-1]
    attn, ffn = branches(weights, width)
    if norm == "pre":
        x = x + attn(x, mask)
        return x + ffn(x)
    for i, branch in ((1, attn(x, mask, norm=False)), (2, None)):
        x = x + (ffn(x, norm=False) if branch is None else branch)
        x = F.layer_norm(x, (width,), weights[f"norm{i}.weight"], weights[f"norm{i}.bias"])
    return x
