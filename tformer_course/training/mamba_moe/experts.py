"""Tokens of several kinds, and a layer of experts that learns them with or without balance."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ...models.mamba_moe import load_balancing_loss, update_expert_bias
from ..threads import one_thread

KINDS, FEATURES, COMMON = 8, 8, 3.0


def kinds_batch(tokens: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens of eight kinds, each with a rotation of its own to be applied to its features.

    Args:
        tokens: Number of tokens.
        generator: Source of randomness.

    Returns:
        x `(tokens, KINDS + FEATURES)`: a noisy mark of the kind, then the features; the features as the kind's matrix
        turns them `(tokens, FEATURES)`; the kinds `(tokens,)`.
    """
    kind = torch.randint(KINDS, (tokens,), generator=generator)
    mark = COMMON + F.one_hot(kind, KINDS) + 0.3 * torch.randn(tokens, KINDS, generator=generator)
    z = torch.randn(tokens, FEATURES, generator=generator)
    fixed = torch.Generator().manual_seed(7)
    turns = torch.linalg.qr(torch.randn(KINDS, FEATURES, FEATURES, generator=fixed)).Q
    return torch.cat([mark, z], dim=1), torch.einsum("nij,nj->ni", turns[kind], z), kind


class ExpertLayer(nn.Module):
    """Linear experts behind a linear router, with k of them per token.

    The weights are the probabilities of the chosen experts, as in Switch: with k = 1 a softmax over the chosen alone
    would always be 1, and the router would learn nothing.

    Args:
        experts: Number of experts, E.
        k: Experts per token.
    """

    def __init__(self, experts: int = 8, k: int = 1) -> None:
        super().__init__()
        self.k = k
        self.router = nn.Linear(KINDS + FEATURES, experts, bias=False)
        self.experts = nn.ModuleList(nn.Linear(KINDS + FEATURES, FEATURES) for _ in range(experts))
        self.register_buffer("bias", torch.zeros(experts))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """`(tokens, d)` → outputs `(tokens, FEATURES)`, probabilities `(tokens, E)`, choices `(tokens, k)`."""
        probs = torch.softmax(self.router(x), dim=-1)
        indices = (probs + self.bias).topk(self.k, dim=-1).indices  # the bias decides who is chosen, not the weight
        output = x.new_zeros(x.shape[0], FEATURES)
        for e, expert in enumerate(self.experts):
            token, slot = (indices == e).nonzero(as_tuple=True)
            if token.numel():
                output = output.index_add(0, token, probs[token, e, None] * expert(x[token]))
        return output, probs, indices


@one_thread()
def train_experts(
    balance: str, seed: int, steps: int = 500, weight: float = 0.1, rate: float = 0.02
) -> tuple[ExpertLayer, dict[str, list[float]]]:
    """Trains an ExpertLayer on tokens of eight kinds.

    Args:
        balance: "none", "loss" (Switch's term) or "bias" (DeepSeek-V3's).
        seed: Seed of weights and data.
        steps: Steps of Adam, 256 tokens each.
        weight: Weight of the balancing loss.
        rate: Step of the bias.

    Returns:
        The layer, and per step the error and the largest share of the choices that one expert gets.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(1000 + seed)
    layer = ExpertLayer()
    optimizer = torch.optim.Adam(layer.parameters(), lr=2e-2)
    history: dict[str, list[float]] = {"error": [], "largest share": []}
    for _ in range(steps):
        x, wanted, _ = kinds_batch(256, generator)
        y, probs, indices = layer(x)
        error = F.mse_loss(y, wanted)
        load = torch.bincount(indices.reshape(-1), minlength=probs.shape[1])
        extra = weight * load_balancing_loss(probs, indices, probs.shape[1]) if balance == "loss" else 0.0
        optimizer.zero_grad()
        (error + extra).backward()
        optimizer.step()
        if balance == "bias":
            layer.bias.copy_(update_expert_bias(layer.bias, load, rate))
        history["error"].append(error.item())
        history["largest share"].append(load.max().item() / load.sum().item())
    return layer, history


@torch.no_grad()
def expert_by_kind(layer: ExpertLayer, tokens: int = 4000, seed: int = 99) -> Tensor:
    """`(E, KINDS)`: the share of each kind's tokens that goes to each expert; columns sum to 1."""
    x, _, kind = kinds_batch(tokens, torch.Generator().manual_seed(seed))
    chosen = layer(x)[2]
    counts = torch.zeros(len(layer.experts), KINDS)
    for slot in range(layer.k):
        counts.index_put_((chosen[:, slot], kind), torch.ones(tokens), accumulate=True)
    return counts / counts.sum(dim=0)
