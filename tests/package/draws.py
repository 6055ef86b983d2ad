"""Random inputs that the tests of several chapters draw."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tformer_course.checks.core.draw import Draw


def seeded(seed: int) -> torch.Generator:
    """A generator with this seed."""
    return torch.Generator().manual_seed(seed)


def normal(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> Tensor:
    """Standard normal numbers; the same ones in every dtype, but for rounding."""
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64).to(dtype)


class Draws:
    """As `Draw`, with a seed that counts up."""

    def __init__(self) -> None:
        self.seed = 0

    def __getattr__(self, name: str) -> Any:
        self.seed += 1
        return getattr(Draw(self.seed), name)
