"""Selective copying: the task, a model for it, its training, and how much it says rightly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ...models.mamba_moe import MambaBlock, TimeInvariantBlock
from ..threads import one_thread
from .scans import quick_convolution, quick_scan

SYMBOLS, NOISE, READ = 16, 16, 17  # symbols are 0 … 15


def copying_batch(batch: int, length: int, keep: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Selective copying: `keep` symbols at random places among noise, then as many places to say them in order.

    The symbols of a sequence differ from each other, so knowing which ones there were helps with one guess in `keep`
    only. They lie in a stretch of random length at a random place, so that a place says little about whether its
    symbol is the first or the last.

    Args:
        batch: Number of sequences.
        length: Positions before the first place to answer.
        keep: Symbols to be copied, at most SYMBOLS.
        generator: Source of randomness.

    Returns:
        Tokens `(batch, length + keep)` and the symbols `(batch, keep)`, which are to be said at the last places.

    Source:
        Gu, Dao 2023 (arXiv 2312.00752), section 4.1.1; here shorter, and no symbol comes twice.
    """
    symbols = torch.rand(batch, SYMBOLS, generator=generator).argsort(dim=1)[:, :keep]
    stretch = torch.randint(keep, length + 1, (batch, 1), generator=generator)  # the symbols lie in a stretch so long
    first = (torch.rand(batch, 1, generator=generator) * (length - stretch + 1)).long()
    place = torch.arange(length)
    inside = (place >= first) & (place < first + stretch)
    scores = torch.rand(batch, length, generator=generator).masked_fill(~inside, -1.0)
    places = scores.topk(keep, dim=1).indices.sort(dim=1).values
    tokens = torch.full((batch, length), NOISE).scatter(1, places, symbols)
    return torch.cat([tokens, torch.full((batch, keep), READ)], dim=1), symbols


class _SelectiveBlock(MambaBlock):
    scan = staticmethod(quick_scan)


class _FixedBlock(TimeInvariantBlock):
    scan = staticmethod(quick_convolution)


class Copier(nn.Module):
    """Embedding, blocks with pre-norm and skip, norm, output layer.

    Args:
        kind: "selective" (Mamba's block), "time-invariant" (steps, b and c fixed, no gate), or "time-invariant, gated".
        d_model, d_state, layers: Sizes.
    """

    def __init__(self, kind: str = "selective", d_model: int = 32, d_state: int = 16, layers: int = 1) -> None:
        super().__init__()
        blocks = {
            "selective": _SelectiveBlock,
            "time-invariant": partial(_FixedBlock, gated=False),
            "time-invariant, gated": _FixedBlock,
        }
        self.embedding = nn.Embedding(SYMBOLS + 2, d_model)
        self.norms = nn.ModuleList(nn.RMSNorm(d_model) for _ in range(layers))
        self.blocks = nn.ModuleList(blocks[kind](d_model, d_state) for _ in range(layers))
        self.final = nn.RMSNorm(d_model)
        self.head = nn.Linear(d_model, SYMBOLS)

    def forward(self, tokens: Tensor) -> Tensor:
        """`(B, T)` → logits `(B, T, symbols)`."""
        x = self.embedding(tokens)
        for norm, block in zip(self.norms, self.blocks, strict=True):
            x = x + block(norm(x))
        return self.head(self.final(x))


@torch.no_grad()
def said_rightly(model: nn.Module, length: int, keep: int, batch: int, seed: int) -> Tensor:
    """`(batch, keep)` of 0 and 1: which symbols of new sequences are said at their place."""
    tokens, symbols = copying_batch(batch, length, keep, torch.Generator().manual_seed(seed))
    return (model(tokens)[:, -keep:].argmax(dim=-1) == symbols).double()


def accuracy_by_place(model: nn.Module, length: int, keep: int, batch: int, seed: int) -> Tensor:
    """`(keep,)`: how often the first, the second, … symbol is said at its place, on new sequences."""
    return said_rightly(model, length, keep, batch, seed).mean(dim=0)


def copying_accuracy(model: nn.Module, length: int, keep: int, batch: int, seed: int) -> float:
    """Share of symbols that are said at their place, on new sequences."""
    return accuracy_by_place(model, length, keep, batch, seed).mean().item()


@one_thread()
def train_copier(
    model: Copier,
    seed: int,
    *,
    first: int = 0,
    steps: int = 2600,
    shortest: int = 6,
    length: int = 64,
    keep: int = 6,
    batch: int = 16,
    look: Callable[[Copier, int], None] | None = None,
    every: int = 200,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> list[float]:
    """Trains a copier with Adam; the rate rises for 50 steps and falls to 0 over the last 40 % of all.

    Args:
        model: Is changed.
        seed: Seed of the data.
        first, steps: Numbers of the first step and of the step after the last. A run that does not start at 0 goes
            on with a model that has seen `first` steps; its optimizer and its data are new.
        shortest, length, keep: Of the task; the places of each batch are a random number between the first two.
        batch: Sequences per step.
        look: Called with the model and the number of steps done after every `every` steps.
        progress: Wraps the steps, for example tqdm.

    Returns:
        The loss of each step.
    """
    generator = torch.Generator().manual_seed(1000 * (first + 1) + seed)
    optimizer = torch.optim.Adam(model.parameters())
    losses = []
    for step in progress(range(first, steps)):
        for group in optimizer.param_groups:
            group["lr"] = 5e-3 * min(1.0, (step - first + 1) / 50, (steps - step) / (0.4 * steps))
        places = int(torch.randint(shortest, length + 1, (1,), generator=generator))
        tokens, symbols = copying_batch(batch, places, keep, generator)
        loss = F.cross_entropy(model(tokens)[:, -keep:].flatten(0, 1), symbols.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if look and (step + 1) % every == 0:
            look(model, step + 1)
    return losses
