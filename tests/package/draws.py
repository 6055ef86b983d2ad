"""Random inputs that the tests of several chapters draw."""

from __future__ import annotations

import torch
from torch import Tensor


def seeded(seed: int) -> torch.Generator:
    """A generator with this seed."""
    return torch.Generator().manual_seed(seed)


def normal(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> Tensor:
    """Standard normal numbers; the same ones in every dtype, but for rounding."""
    return torch.randn(*shape, generator=seeded(seed), dtype=torch.float64).to(dtype)
