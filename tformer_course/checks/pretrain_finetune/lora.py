"""LoRALinear."""

from __future__ import annotations

import copy
import math

import torch
from torch import Tensor, nn

from ...models.pretrain_finetune import lora as reference
from ..core.exercise import Case, Exercise, Mistake
from .wrong_lora import random_factor, wrong_lora


def linear_of(weight: Tensor, bias: Tensor | None = None) -> nn.Linear:
    """A linear layer with these weights, in their dtype; gradients stay with the layer."""
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None).to(weight.dtype)
    with torch.no_grad():
        layer.weight.copy_(weight)
        if bias is not None:
            layer.bias.copy_(bias)
    return layer


def with_factors(module: nn.Module, a: Tensor, b: Tensor) -> nn.Module:
    """The module with other tensors for its two factors, so that gradients reach them.

    Raises:
        AttributeError: Where it has no parameters of these names.
    """
    for name, value in (("lora_a", a), ("lora_b", b)):
        if name not in module._parameters:
            raise AttributeError(f"the layer has no parameter called {name}")
        if module._parameters[name].shape != value.shape:
            shape = tuple(module._parameters[name].shape)
            raise ValueError(f"{name} has the shape {shape}; it should be {tuple(value.shape)}")
        del module._parameters[name]
        setattr(module, name, value)
    return module


def output(answer, weight, bias, a, b, alpha, x):
    """What the layer computes with given factors."""
    return with_factors(answer(linear_of(weight, bias), a.shape[0], alpha), a, b)(x)


def right_output(weight, bias, a, b, alpha, x):
    """By the sum of both weights, which the layer itself never builds; no gradient for the frozen ones."""
    weight, bias = weight.detach(), None if bias is None else bias.detach()
    y = torch.einsum("oi,...i->...o", weight + alpha / a.shape[0] * (b @ a), x)
    return y if bias is None else y + bias


def merged(answer, weight, bias, a, b, alpha, x):
    """What the merged layer computes, and what is said of it."""
    layer = answer(linear_of(weight, bias), a.shape[0], alpha)
    with torch.no_grad():
        with_factors(layer, nn.Parameter(a.clone()), nn.Parameter(b.clone()))
        one = layer.merge()
        value = one(x).clone()
        for tensor in (layer.linear.weight, layer.linear.bias, layer.lora_a, layer.lora_b):
            if tensor is not None:
                tensor += 1.0  # a merged layer that shares memory changes with it
        again = one(x).clone()
    kind = "nn.Linear" if type(one) is nn.Linear else type(one).__name__
    return {"kind": kind, "value": value, "later": again, "bias": one.bias is not None}


def after_merging(answer, weight, bias, a, b, alpha, x):
    """The layer's own output after merge was called: it must be as before."""
    layer = with_factors(answer(linear_of(weight, bias), a.shape[0], alpha), a, b)
    layer.merge()
    return layer(x).detach()


def born(answer, features: tuple[int, int], rank: int, alpha: float) -> dict:
    """What a fresh layer is made of, before any step."""
    torch.manual_seed(5)
    linear = nn.Linear(*features)
    before = linear.weight.detach().clone()
    torch.manual_seed(6)
    layer = answer(linear, rank, alpha)
    torch.manual_seed(6)
    twin = answer(copy.deepcopy(linear), rank, alpha)
    torch.manual_seed(7)
    other = answer(copy.deepcopy(linear), rank, alpha)
    a = layer.lora_a.detach()
    distinct = len(torch.unique(a)) / a.numel()
    return {
        "parameters": sorted(f"{n} {tuple(p.shape)} {p.requires_grad}" for n, p in layer.named_parameters()),
        "lora_a is random": bool(distinct > 0.9 and a.std() > 1e-4),
        "lora_a is drawn from torch's generator": bool(
            torch.equal(layer.lora_a, twin.lora_a) and not torch.equal(layer.lora_a, other.lora_a)
        ),
        "lora_a is zero": not bool(a.any()),
        "lora_b is zero": not bool(layer.lora_b.detach().any()),
        "the layer is kept": bool(
            layer.linear is linear and torch.equal(before, linear.weight) and not linear.weight.requires_grad
        ),
    }


def right_birth(features: tuple[int, int], rank: int, alpha: float) -> dict:
    n_in, n_out = features
    return {
        "parameters": [
            f"linear.bias {(n_out,)} False",
            f"linear.weight {(n_out, n_in)} False",
            f"lora_a {(rank, n_in)} True",
            f"lora_b {(n_out, rank)} True",
        ],
        "lora_a is random": True,
        "lora_a is drawn from torch's generator": True,
        "lora_a is zero": False,
        "lora_b is zero": True,
        "the layer is kept": True,
    }


def factors(draw, n_in: int, n_out: int, rank: int, alpha: float, batch=(2, 3), bias=True, dtype=torch.float64) -> list:
    """Weight, bias, A, B, alpha and x."""
    return [
        draw.normal(n_out, n_in, dtype=dtype),
        draw.normal(n_out, dtype=dtype) if bias else None,
        draw.normal(rank, n_in, dtype=dtype),
        draw.normal(n_out, rank, dtype=dtype),
        alpha,
        draw.normal(*batch, n_in, dtype=dtype),
    ]


LORA_LINEAR = Exercise(
    name="LoRALinear",
    points=2,
    reference=reference.LoRALinear,
    cases=(
        Case("a fresh layer", lambda draw: [(9, 5), 3, 6.0], right_birth, call=born),
        Case("values", lambda draw: factors(draw, 6, 4, 3, 12.0), right_output, call=output, grad=True),
        Case(
            "without a bias", lambda draw: factors(draw, 5, 7, 2, 1.0, bias=False), right_output, call=output, grad=True
        ),
        Case(
            "merge",
            lambda draw: factors(draw, 6, 4, 3, 12.0),
            lambda *given: {
                "kind": "nn.Linear",
                "value": right_output(*given),
                "later": right_output(*given),
                "bias": True,
            },
            call=merged,
        ),
        Case("as before after merging", lambda draw: factors(draw, 6, 4, 2, 5.0), right_output, call=after_merging),
    ),
    mistakes=(
        Mistake(
            "both_random",
            "both factors are random, so the layer is changed before the first step. Which one starts at zero?",
            wrong_lora(b=random_factor),
        ),
        Mistake(
            "both_zero",
            "both factors are zero, and each one's gradient is a multiple of the other: nothing ever moves. "
            "Which one is random?",
            wrong_lora(a=nn.init.zeros_),
        ),
        Mistake(
            "zero_factor_swapped",
            "lora_a is zero and lora_b random. Which one does the paper set to zero?",
            wrong_lora(a=nn.init.zeros_, b=random_factor),
        ),
        Mistake(
            "a_is_constant",
            "lora_a has the same entry everywhere, so its rows stay equal for ever. How is it drawn?",
            wrong_lora(a=nn.init.ones_),
        ),
        Mistake(
            "base_trainable",
            "the weights of the layer itself can still be trained. How is a parameter frozen?",
            wrong_lora(freeze=False),
        ),
        Mistake(
            "factors_frozen",
            "your factors cannot be trained. Which parameters should a step change?",
            wrong_lora(frozen_factors=True),
        ),
        Mistake(
            "layer_copied",
            "self.linear is a copy, and the layer that was handed in is not frozen. Which object should it be?",
            wrong_lora(keep=False),
        ),
        Mistake(
            "merge_without_scale",
            "your merged weight forgets the scale. By what is the product multiplied?",
            wrong_lora(merge_scale=lambda s: 1.0),
        ),
        Mistake(
            "merge_without_bias",
            "your merged layer has no bias. What else does the old one add?",
            wrong_lora(merge_bias=False),
        ),
        Mistake(
            "merge_without_correction",
            "your merged layer is the old one. What has been learned?",
            wrong_lora(merge_base_only=True),
        ),
        Mistake(
            "merge_in_place",
            "merge changes the layer itself: its output holds the correction twice afterwards. Into which "
            "layer should it be written?",
            wrong_lora(merge_in_place=True),
        ),
        Mistake(
            "merge_shares_memory",
            "your merged layer shares its weights with the old one. What makes it independent?",
            wrong_lora(merge_shares=True),
        ),
        Mistake(
            "no_scale",
            "your correction is not scaled. What does alpha do?",
            wrong_lora(scale=lambda alpha, rank: 1.0),
        ),
        Mistake(
            "scale_alpha",
            "you scale by alpha alone, so a larger rank makes larger steps. By what is alpha divided?",
            wrong_lora(scale=lambda alpha, rank: alpha),
        ),
        Mistake(
            "scale_root",
            "you divide by the root of the rank, as rank-stabilised LoRA does. Which divisor does the exercise give?",
            wrong_lora(scale=lambda alpha, rank: alpha / math.sqrt(rank)),
        ),
        Mistake(
            "scale_inverted",
            "your scale is rank / alpha. Which of the two is the divisor?",
            wrong_lora(scale=lambda alpha, rank: rank / alpha),
        ),
        Mistake("base_forgotten", "your output is the correction alone. What does it correct?", wrong_lora(base=False)),
    ),
)
