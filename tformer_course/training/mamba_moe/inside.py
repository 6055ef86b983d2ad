"""What a trained copier does inside: the step of each position, and the attention that its scan amounts to."""

from __future__ import annotations

import torch
from torch import Tensor

from ...models.mamba_moe import selective_matrix
from .copying import Copier


@torch.no_grad()
def _scan_inputs(model: Copier, tokens: Tensor, layer: int) -> tuple[Tensor, Tensor, Tensor]:
    """Steps `(B, T, D)`, b and c `(B, T, N)` of one layer of a copier."""
    x = model.embedding(tokens)
    for norm, block in zip(model.norms[:layer], model.blocks[:layer], strict=True):
        x = x + block(norm(x))
    inner, _ = model.blocks[layer].scan_inputs(model.norms[layer](x))
    return model.blocks[layer].steps(inner)


@torch.no_grad()
def step_sizes(model: Copier, tokens: Tensor, layer: int) -> Tensor:
    """`(B, T)`: the step of each position, as the median of the channels."""
    return _scan_inputs(model, tokens, layer)[0].median(dim=-1).values


@torch.no_grad()
def hidden_attention(model: Copier, tokens: Tensor, layer: int, normalised: bool = True) -> Tensor:
    """How much each position takes from each other in one layer's scan, for the first sequence.

    Args:
        model: A trained copier.
        tokens: `(1, T)`.
        layer: Which block.
        normalised: Whether each row is divided by its sum.

    Returns:
        `(T, T)`: the mean size of the entries over the channels.
    """
    delta, b, c = _scan_inputs(model, tokens, layer)
    rate = -torch.exp(model.blocks[layer].A_log.detach())
    maps = [selective_matrix(delta[0, :, i], rate[i], b[0], c[0]).abs() for i in range(rate.shape[0])]
    mean = torch.stack(maps).mean(dim=0)
    return mean / mean.sum(dim=-1, keepdim=True) if normalised else mean
