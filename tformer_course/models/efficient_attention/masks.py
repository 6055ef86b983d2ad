"""Sparse patterns as masks: sliding window, Longformer, BigBird, windows in space and time, the largest scores."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor


def sliding_window_mask(n: int, window: int, causal: bool = True) -> Tensor:
    """Every position sees its neighbourhood.

    Args:
        n: Number of positions.
        window: w, at least 1. Causal: the w positions that end with the query itself. Two-sided: w // 2 to each side
            and the query itself.
        causal: Which of the two.

    Returns:
        `(n, n)` bool, True = may attend. Causal: 0 ≤ i − j < w; two-sided: |i − j| ≤ w // 2.

    Raises:
        ValueError: For a window below 1.

    Source:
        Beltagy et al. 2020 (Longformer, arXiv 2004.05150), section 3.1; Jiang et al. 2023 (Mistral, 2310.06825).

    >>> sliding_window_mask(4, 2).int()
    tensor([[1, 0, 0, 0],
            [1, 1, 0, 0],
            [0, 1, 1, 0],
            [0, 0, 1, 1]], dtype=torch.int32)
    """
    if window < 1:
        raise ValueError(f"window is {window}; at least 1 is needed")
    position = torch.arange(n)
    back = position[:, None] - position[None, :]  # (n, n), how far key j lies before query i
    if causal:
        return (back >= 0) & (back < window)
    return back.abs() <= window // 2


def longformer_mask(n: int, window: int, global_positions: Sequence[int] | Tensor) -> Tensor:
    """A two-sided window, and a few positions that see all and are seen by all.

    Args:
        n: Number of positions.
        window: As in `sliding_window_mask(n, window, causal=False)`.
        global_positions: Their indices, a list or a tensor; may be empty.

    Returns:
        `(n, n)` bool.

    Source:
        Beltagy et al. 2020, section 3.1.
    """
    mask = sliding_window_mask(n, window, causal=False)
    chosen = torch.as_tensor(global_positions, dtype=torch.long)  # an empty list would become floats
    mask[chosen, :] = True  # they read everything …
    mask[:, chosen] = True  # … and everyone reads them
    return mask


def bigbird_mask(
    n: int, window: int, num_global: int, num_random: int, generator: torch.Generator | None = None
) -> Tensor:
    """Longformer's pattern with the first positions global, and some random keys for each other row.

    Args:
        n: Number of positions.
        window: Two-sided window.
        num_global: The first that many positions are global, rows and columns.
        num_random: Further keys per remaining row, uniform among those that it does not see yet, drawn for each row
            by itself; fewer where there are not enough.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        `(n, n)` bool. The entries per row do not grow with n, so the pattern is O(n).

    Source:
        Zaheer et al. 2020 (arXiv 2007.14062), section 2. The paper draws blocks of keys; this is its block size 1.
    """
    mask = longformer_mask(n, window, range(min(num_global, n)))
    for row in mask[num_global:]:
        hidden = (~row).nonzero().squeeze(1)  # keys that this row does not see yet
        row[hidden[torch.randperm(len(hidden), generator=generator)[:num_random]]] = True
    return mask


def window_mask_3d(shape: tuple[int, int, int], window: tuple[int, int, int]) -> Tensor:
    """Tokens of a video see the block of space and time that they lie in.

    Args:
        shape: (frames, height, width). Tokens are counted frames first, then rows, then columns.
        window: Size of a block along the same three axes; blocks do not overlap, those at the ends may be smaller.

    Returns:
        `(n, n)` bool with n = frames · height · width.

    Source:
        Liu et al. 2021 (Video Swin Transformer, arXiv 2106.13230), section 3.2, without the shift.
    """
    axes = [torch.arange(size) // step for size, step in zip(shape, window, strict=True)]  # block along each axis
    block = torch.cartesian_prod(*axes)  # (n, 3), last axis fastest, as tokens are counted
    return (block[:, None] == block[None]).all(dim=-1)


def keep_top_scores(scores: Tensor, keep_ratio: float) -> Tensor:
    """Hides all but the largest scores of each row, before the softmax.

    Args:
        scores: `(…, S)`. Entries may be −inf already.
        keep_ratio: Share of the S keys that stays.

    Returns:
        `(…, S)`: exactly max(1, int(keep_ratio · S)) entries per row as they were, ties broken by choice, −inf
        elsewhere. What was −inf stays so.

    >>> keep_top_scores(torch.tensor([[-3.0, -1.0, -2.0]]), 0.5)
    tensor([[-inf, -1., -inf]])
    """
    count = max(1, int(keep_ratio * scores.shape[-1]))
    chosen = scores.topk(count, dim=-1).indices  # (…, count): exactly that many, also where scores are equal
    kept = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, chosen, True)
    return scores.masked_fill(~kept, -math.inf)
