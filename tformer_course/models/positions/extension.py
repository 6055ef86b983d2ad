"""Using RoPE past the length it was trained at, and measuring whether that works."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from .rotary import rotary_frequencies


def interpolate_positions(positions: Tensor, train_len: int, target_len: int) -> Tensor:
    """Position interpolation: the positions of a long text are squeezed into the range seen in training.

    Args:
        positions: Any shape; whole numbers become the default float.
        train_len: Length at training.
        target_len: Length wanted.

    Returns:
        positions·train_len/target_len, of the same shape.

    Source:
        Chen et al. 2023 (arXiv 2306.15595), equation 4.

    >>> interpolate_positions(torch.tensor([0, 3, 7]), 4, 8)
    tensor([0.0000, 1.5000, 3.5000])
    """
    return positions * (train_len / target_len)


def ntk_base(base: float, d_head: int, factor: float) -> float:
    """NTK-aware scaling: the base at which the slowest pair is stretched by `factor` and the fastest not at all.

    Args:
        base: θ at training.
        d_head: Head width D, more than 2.
        factor: Wanted length / length at training.

    Returns:
        base·factor^(D/(D − 2)).

    Raises:
        ValueError: For a width of 2 or less: one pair cannot be both the fastest and the slowest.

    Source:
        bloc97 2023, quoted in Peng et al. 2023 (arXiv 2309.00071), section 3.1.

    >>> round(ntk_base(10000.0, 4, 3.0), 6)  # the slowest pair turns base^(−1/2) per position: 0.01, now 0.01/3
    90000.0
    """
    if d_head <= 2:
        raise ValueError(f"d_head is {d_head}; more than 2 is needed")
    return base * factor ** (d_head / (d_head - 2))


def yarn_frequencies(
    d_head: int, base: float, train_len: int, factor: float, beta_fast: float = 32.0, beta_slow: float = 1.0
) -> tuple[Tensor, float]:
    """YaRN: fast pairs stay as they are, slow pairs are interpolated, and a ramp lies between.

    Args:
        d_head: Head width D, even.
        base: θ at training.
        train_len: Length at training.
        factor: Wanted length / length at training.
        beta_fast: Pairs that turn more often than this within train_len are kept.
        beta_slow: Pairs that turn less often than this are interpolated fully.

    Returns:
        Frequencies `(D/2,)`, and the attention scale 0.1·ln(factor) + 1 (1 for factor ≤ 1) that multiplies both tables.

    Source:
        Peng et al. 2023 (arXiv 2309.00071), section 3.2 and equation 22; borders as in transformers.
    """
    frequencies = rotary_frequencies(d_head, base)  # (D/2,)

    def pair_that_turns(times: float) -> float:
        """The index of the pair, as a real number, that turns so often within train_len."""
        return d_head * math.log(train_len / (times * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(pair_that_turns(beta_fast)), 0)
    high = min(math.ceil(pair_that_turns(beta_slow)), d_head - 1)
    width = high - low if high != low else 0.001
    ramp = ((torch.arange(d_head // 2) - low) / width).clamp(0, 1)  # 0: kept, 1: interpolated
    scale = 0.1 * math.log(factor) + 1 if factor > 1 else 1.0
    return frequencies * (1 - ramp) + frequencies / factor * ramp, scale


def perplexity_by_length(
    model: Callable[[Tensor], Tensor], tokens: Tensor, lengths: Iterable[int], num_targets: int
) -> dict[int, float]:
    """Perplexity of the same last tokens, seen with contexts of different length.

    Args:
        model: Maps tokens `(B, T)` to logits `(B, T, V)`.
        tokens: `(B, n)` int64, n at least the longest length.
        lengths: Numbers of tokens to show, each more than num_targets.
        num_targets: The last so many tokens of each row are scored.

    Returns:
        length → exp of the mean cross-entropy over all rows and targets.

    Raises:
        ValueError: For a length that does not lie above num_targets, or above the number of tokens.
    """
    result = {}
    targets = tokens[:, -num_targets:]  # (B, targets)
    for length in lengths:
        if not num_targets < length <= tokens.shape[1]:
            raise ValueError(
                f"length {length} does not lie above {num_targets} targets and within {tokens.shape[1]} tokens"
            )
        with torch.no_grad():
            logits = model(tokens[:, -length:])[:, -num_targets - 1 : -1]  # (B, targets, V): position t predicts t + 1
        log_probs = torch.log_softmax(logits, dim=-1).gather(-1, targets.unsqueeze(-1))  # (B, targets, 1)
        result[int(length)] = math.exp(-log_probs.mean().item())
    return result
