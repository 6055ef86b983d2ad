"""The task of chapter 04: a sequence is to be written backwards, and an encoder–decoder learns to do it.

The notebook's live run and its graded test use the same recipe.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .threads import one_thread

START = 0  # the token that opens each target


def reversal_batch(batch: int, length: int, vocab_size: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Sources and their reversals, each `(batch, length)`, with tokens 1 … vocab_size − 1.

    >>> source, target = reversal_batch(2, 3, 9, torch.Generator().manual_seed(0))
    >>> torch.equal(source[:, 0], target[:, -1])
    True
    """
    source = torch.randint(1, vocab_size, (batch, length), generator=generator)
    return source, source.flip(1)


def shift_right(target: Tensor) -> Tensor:
    """The decoder's input `(B, T)`: START, then the target `(B, T)` without its last token.

    >>> shift_right(torch.tensor([[5, 6, 7]]))
    tensor([[0, 5, 6]])
    """
    start = torch.full_like(target[:, :1], START)
    return torch.cat([start, target[:, :-1]], dim=1)


@torch.no_grad()
def greedy_decode(model: Callable[[Tensor, Tensor], Tensor], source: Tensor, length: int) -> Tensor:
    """Write `length` tokens, each the likeliest after those before it: `(B, S)` → `(B, length)`."""
    written = torch.full((source.shape[0], 1), START, dtype=torch.long)
    for _ in range(length):
        logits = model(source, written)[:, -1]  # (B, V); what was written before is read again
        written = torch.cat([written, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return written[:, 1:]


def exact_share(model: Callable[[Tensor, Tensor], Tensor], source: Tensor) -> float:
    """Share of the sequences `(B, T)` that come out backwards without a single wrong token."""
    return (greedy_decode(model, source, source.shape[1]) == source.flip(1)).all(dim=1).double().mean().item()


@one_thread()
def train_to_reverse(
    model: nn.Module,
    *,
    vocab_size: int,
    length: int = 8,
    seed: int = 0,
    batch: int = 64,
    learning_rate: float = 3e-3,
    max_steps: int = 600,
    look_every: int = 25,
) -> dict[str, list[float]]:
    """Train until 256 fresh sequences come out right three looks in a row, or for `max_steps`.

    Adam with 50 steps of warm-up and clipped gradients; the target is shifted here, the model gets it shifted.

    Returns:
        `loss` per step; `looks` and `exact`: at which steps the share of exact reversals was measured, and the shares.
    """
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=learning_rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 50))
    history: dict[str, list[float]] = {"loss": [], "looks": [], "exact": []}
    for step in range(1, max_steps + 1):
        model.train()
        source, target = reversal_batch(batch, length, vocab_size, generator)
        loss = F.cross_entropy(model(source, shift_right(target)).flatten(0, 1), target.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        history["loss"].append(loss.item())
        if step % look_every == 0:
            model.eval()
            history["looks"].append(step)
            history["exact"].append(exact_share(model, reversal_batch(256, length, vocab_size, generator)[0]))
            if len(history["exact"]) >= 3 and min(history["exact"][-3:]) == 1.0:
                break
            if step >= 100 and history["loss"][-1] < 0.01 and history["exact"][-1] < 0.5:
                break  # a model that predicts well and writes badly reads its answers: more steps will not help
            if step >= 600 and max(history["exact"]) == 0.0:
                break  # not one sequence so far
    model.eval()
    return history
