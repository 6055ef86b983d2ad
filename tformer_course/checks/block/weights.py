"""Random weights for a block, by parameter name, and a way to call a module with them."""

from __future__ import annotations

import math

import torch
from torch import Tensor


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


def load(module, weights):
    module = module.to(next(iter(weights.values())).dtype)
    return lambda *a, **k: torch.func.functional_call(module, weights, a, k, strict=True)
