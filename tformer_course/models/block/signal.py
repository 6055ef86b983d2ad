"""What keeps numbers and gradients in size: standard deviations for weights, and two instruments to measure with."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn


def gradient_norms(blocks: Iterable[nn.Module], loss: Tensor) -> list[float]:
    """How large the gradient of the loss is in each block.

    Args:
        blocks: Modules that took part in computing the loss.
        loss: A scalar with its graph. The graph is kept: `loss.backward()` still works afterwards.

    Returns:
        One number per block: the L2 norm of the gradient over all its parameters together. Parameters that are frozen
        or that the loss does not depend on count 0. No `.grad` is read or written.

    >>> layer = nn.Linear(1, 1)
    >>> gradient_norms([layer], (3.0 * layer.weight + 4.0 * layer.bias).sum())
    [5.0]
    """
    blocks = list(blocks)
    parameters = [[p for p in block.parameters() if p.requires_grad] for block in blocks]
    wanted = [p for group in parameters for p in group]
    if not wanted or not loss.requires_grad:
        return [0.0] * len(blocks)
    # One pass for all blocks; torch.autograd.grad returns the gradients and leaves every .grad alone.
    gradients = iter(torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=True))
    norms = []
    for group in parameters:
        found = [g for g in (next(gradients) for _ in group) if g is not None]
        norms.append(math.sqrt(sum(g.square().sum().item() for g in found)))
    return norms


def xavier_std(fan_in: int, fan_out: int) -> float:
    """Standard deviation that compromises between keeping the forward and the backward variance of a linear layer.

    Source:
        Glorot, Bengio 2010 ("Understanding the difficulty of training deep feedforward neural networks"), eq. 12.

    >>> xavier_std(1, 7)
    0.5
    """
    return math.sqrt(2.0 / (fan_in + fan_out))


def he_std(fan_in: int) -> float:
    """Standard deviation that keeps the mean square of a ReLU layer: ReLU halves it, so the weights double it.

    Source:
        He et al. 2015 (arXiv 1502.01852), equation 10.

    >>> he_std(8)
    0.5
    """
    return math.sqrt(2.0 / fan_in)


def residual_std(base_std: float, num_layers: int) -> float:
    """Standard deviation for the last matrix of each residual branch: base_std / √(2L), as in GPT-2.

    Each of the L layers adds two branches to the stream, so the stream is a sum of 2L terms.

    Source:
        Radford et al. 2019 (GPT-2), section 2.3: 1/√N "where N is the number of residual layers".

    >>> residual_std(0.02, 8)
    0.005
    """
    return base_std / math.sqrt(2 * num_layers)


def forward_variances(
    depth: int,
    width: int,
    std: float,
    activation: Callable[[Tensor], Tensor],
    generator: torch.Generator | None = None,
) -> list[float]:
    """How the spread of activations develops through a stack of random layers without biases.

    Args:
        depth: Number of layers.
        width: Of the input and of every layer.
        std: Standard deviation of the weights; each layer has fresh ones.
        activation: Applied after each layer, e.g. `torch.relu`.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        One number per layer: the variance over all entries after the activation, for 1024 standard normal inputs.
    """
    h = torch.randn(1024, width, generator=generator)  # (1024, width)
    variances = []
    for _ in range(depth):
        weight = torch.randn(width, width, generator=generator) * std  # (in, out)
        h = activation(h @ weight)  # (1024, width)
        variances.append(h.var().item())
    return variances
