"""Test inputs from a seed: the same seed gives the same inputs in any process."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import torch
from torch import Tensor


def seed_for(run_seed: int, *names: str) -> int:
    """A seed for one judgement, from the seed of the run and the names of the exercise and of the judgement.

    Args:
        run_seed: Seed of the grading run.
        *names: What the judgement is called, from the general to the special.

    Returns:
        An integer below 2**63, the same on every machine.
    """
    text = "\x1f".join([str(run_seed), *names])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


class Draw:
    """Draws inputs for one judgement.

    Args:
        seed: Any integer; equal seeds draw equal inputs.

    >>> Draw(1).normal(2, 3).shape
    torch.Size([2, 3])
    """

    def __init__(self, seed: int) -> None:
        self.generator = torch.Generator().manual_seed(seed)

    def normal(self, *shape: int, dtype: torch.dtype = torch.float64, scale: float = 1.0) -> Tensor:
        """Independent normal entries with standard deviation `scale`; float64 unless said otherwise."""
        return torch.randn(*shape, generator=self.generator, dtype=torch.float64).mul(scale).to(dtype)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0, dtype: torch.dtype = torch.float64) -> Tensor:
        """Independent uniform entries in [low, high)."""
        draws = torch.rand(*shape, generator=self.generator, dtype=torch.float64)
        return draws.mul(high - low).add(low).to(dtype)

    def integer(self, low: int, high: int) -> int:
        """One integer, both ends included."""
        return int(torch.randint(low, high + 1, (), generator=self.generator))

    def integers(self, low: int, high: int, *shape: int) -> Tensor:
        """int64 tensor of integers, both ends included."""
        return torch.randint(low, high + 1, shape, generator=self.generator)

    def mask(self, *shape: int, keep: float = 0.7) -> Tensor:
        """Boolean mask, True with probability `keep`; every row of the last axis keeps at least one True."""
        kept = torch.rand(*shape, generator=self.generator) < keep
        one = torch.rand(*shape, generator=self.generator).argmax(-1, keepdim=True)
        return kept.scatter(-1, one, True)

    def permutation(self, n: int) -> Tensor:
        """A random order of 0 … n−1 that is not its own inverse (for n ≥ 3), so that a swap of the two shows."""
        while True:
            order = torch.randperm(n, generator=self.generator)
            if n < 3 or not torch.equal(order[order], torch.arange(n)):
                return order

    def choice(self, options: Sequence):
        """One of the options."""
        return options[self.integer(0, len(options) - 1)]
