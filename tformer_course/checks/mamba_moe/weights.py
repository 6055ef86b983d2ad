"""Random weights for a Mamba block, a way to run a module with given weights, and what the block must then give."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def block_weights(draw, width=6, n=3, conv=4, expand=2, dtype=torch.float64) -> dict[str, Tensor]:
    """Weights of a MambaBlock, by parameter name."""
    inner, rank = expand * width, math.ceil(width / 16)

    def matrix(rows, columns):
        return draw.normal(rows, columns, dtype=dtype, scale=1 / math.sqrt(columns))

    return {
        "A_log": draw.uniform(inner, n, low=-0.7, high=0.7, dtype=dtype),
        "D": draw.normal(inner, dtype=dtype),
        "in_proj.weight": matrix(2 * inner, width),
        "conv1d.weight": draw.normal(inner, 1, conv, dtype=dtype, scale=0.7),
        "conv1d.bias": draw.normal(inner, dtype=dtype, scale=0.3),
        "x_proj.weight": matrix(rank + 2 * n, inner) * 1.5,
        "dt_proj.weight": draw.normal(inner, rank, dtype=dtype),
        "dt_proj.bias": draw.normal(inner, dtype=dtype, scale=0.5) - 0.5,
        "out_proj.weight": matrix(width, inner),
    }


def with_weights(module: nn.Module, weights: dict[str, Tensor]) -> nn.Module:
    """The module with these tensors in place of its parameters, so that gradients reach them.

    Raises:
        KeyError: Where the names of the module's parameters are not those of the weights.
    """
    names = {name for name, _ in module.named_parameters()}
    if names != set(weights):
        wrong = sorted(names ^ set(weights))
        raise KeyError(f"parameters that should not be there, or are missing: {', '.join(wrong)}")
    for name, value in weights.items():
        path, _, leaf = name.rpartition(".")
        owner = module.get_submodule(path)
        if owner._parameters[leaf].shape != value.shape:
            raise ValueError(f"{name} has the shape {tuple(owner._parameters[leaf].shape)}, not {tuple(value.shape)}")
        del owner._parameters[leaf]
        setattr(owner, leaf, value)
    return module


def run_block(answer, weights: dict[str, Tensor], x: Tensor, n=3, conv=4, expand=2) -> Tensor:
    """The output of a block of this class with these weights."""
    return with_weights(answer(x.shape[-1], n, conv, expand).to(x.dtype), weights)(x)


def parameter_shapes(answer, *sizes) -> list[str]:
    """Names and shapes of all parameters."""
    return sorted(f"{name} {tuple(p.shape)}" for name, p in answer(*sizes).named_parameters())


def slow_block(weights: dict[str, Tensor], x: Tensor) -> Tensor:
    """What a MambaBlock gives with these weights: one position after the other, each sum written out."""
    rank, n = weights["dt_proj.weight"].shape[1], weights["A_log"].shape[1]
    taps = weights["conv1d.weight"][:, 0]  # (D, d_conv); the last tap is the present
    width = taps.shape[1]
    projected = x @ weights["in_proj.weight"].T
    inner, gate = projected[..., : taps.shape[0]], projected[..., taps.shape[0] :]
    state, outputs = 0.0, []
    for t in range(x.shape[1]):
        u = weights["conv1d.bias"] + 0 * inner[:, t]
        for k in range(width):
            if t - k >= 0:
                u = u + taps[:, width - 1 - k] * inner[:, t - k]
        u = u / (1 + torch.exp(-u))
        read = u @ weights["x_proj.weight"].T
        low, b, c = read[:, :rank], read[:, rank : rank + n], read[:, rank + n :]
        delta = torch.logaddexp(low @ weights["dt_proj.weight"].T + weights["dt_proj.bias"], u.new_zeros(()))
        decay = torch.exp(-delta[..., None] * torch.exp(weights["A_log"]))
        state = decay * state + (delta * u)[..., None] * b[:, None, :]
        y = (state * c[:, None, :]).sum(-1) + weights["D"] * u
        outputs.append((y * F.silu(gate[:, t])) @ weights["out_proj.weight"].T)
    return torch.stack(outputs, dim=1)


def by_transformers(weights: dict[str, Tensor], x: Tensor) -> Tensor:
    """The output of transformers' MambaMixer with these weights."""
    import transformers
    from transformers.models.mamba.modeling_mamba import MambaMixer

    transformers.logging.set_verbosity_error()
    inner, _, conv = weights["conv1d.weight"].shape
    config = transformers.MambaConfig(
        hidden_size=x.shape[-1],
        state_size=weights["A_log"].shape[1],
        conv_kernel=conv,
        expand=inner // x.shape[-1],
        num_hidden_layers=1,
        vocab_size=8,
    )
    mixer = MambaMixer(config, 0).eval()
    mixer.load_state_dict(weights)
    with torch.no_grad():
        return mixer(x)
