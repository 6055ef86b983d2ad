"""Runs an answer on long inputs, and says how large a tensor it made on the way, forward and backward."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from ...models.efficient_attention import LargestTensor


def watched(function: Callable[..., Tensor], *tensors: Tensor, backward: bool = True) -> dict[str, Any]:
    """Output and gradients of a function, and the entries of the largest tensor made meanwhile.

    Args:
        function: Maps the tensors to one output, or to several of which the first counts.
        *tensors: Floating-point inputs.
        backward: Whether the backward pass is run and watched too.

    Returns:
        `output`, `gradients` of Σ w · output with w = cos(0, 1, 2, …), `forward` and `backward`: numbers of entries.
    """
    leaves = [t.detach().requires_grad_(backward) for t in tensors]
    with LargestTensor() as forward:
        output = function(*leaves)
    output = output[0] if isinstance(output, tuple | list) else output
    said = {"output": output.detach(), "forward": forward.entries}
    if backward:
        weights = torch.arange(output.numel(), dtype=torch.float64).cos().reshape(output.shape).to(output.dtype)
        with LargestTensor() as behind:
            gradients = torch.autograd.grad(output, leaves, weights, allow_unused=True)
        zeros = [torch.zeros_like(t) for t in tensors]
        said["gradients"] = [z if g is None else g for g, z in zip(gradients, zeros, strict=True)]
        said["backward"] = behind.entries
    return said


def without_square(function: Callable[..., Tensor], *tensors: Tensor, backward: bool = True) -> dict[str, Any]:
    """`watched`, with words in place of numbers of entries: is there a tensor as large as queries × keys?"""
    said = watched(function, *tensors, backward=backward)
    square = tensors[0].shape[-2] * tensors[1].shape[-2]
    for part in {"forward", "backward"} & set(said):
        said[part] = "a tensor with as many entries as queries × keys" if said[part] >= square else "small tensors"
    return said


def square_free(said: Any, square: int, output: Tensor, gradients: list[Tensor] | None = None) -> bool | str:
    """Judges what `watched` returned: no tensor of `square` entries, and the right values."""
    if not isinstance(said, dict):
        return "nothing was measured"
    for part, where in (("forward", "in the forward pass"), ("backward", "in the backward pass")):
        if said.get(part, 0) >= square:
            return f"a tensor of {said[part]:,} entries is made {where}; queries × keys is {square:,}"
    pairs = [("output", said["output"], output)]
    if gradients is not None:
        pairs += [("gradients", g, e) for g, e in zip(said["gradients"], gradients, strict=True)]
    for name, mine, right in pairs:
        if mine.shape != right.shape or not torch.allclose(mine.double(), right.double(), rtol=1e-5, atol=1e-8):
            return f"no square tensor, but the {name} of the long input {'are' if name == 'gradients' else 'is'} off"
    return True


def masked_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Plain attention with the whole matrix of scores: the oracle of the judgements above."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.softmax(scores, dim=-1) @ v


def oracle(function: Callable[..., Tensor], *tensors: Tensor) -> tuple[Tensor, list[Tensor]]:
    """Output and gradients of a plain function, weighted as in `watched`."""
    said = watched(function, *tensors)
    return said["output"], said["gradients"]
