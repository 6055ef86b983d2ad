"""Conversations as rows of tokens: what counts in the loss, and how several share a row."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def sft_labels(input_ids: Tensor, prompt_lengths: Tensor, lengths: Tensor) -> Tensor:
    """Labels that count the answer alone: its end token too, the prompt and the padding not.

    Args:
        input_ids: `(B, T)` int64: prompt, answer, end token, padding.
        prompt_lengths: `(B,)`, tokens of the prompt.
        lengths: `(B,)`, real tokens: prompt, answer and end token.

    Returns:
        `(B, T)` int64, aligned with input_ids (not shifted), −100 where nothing counts.

    >>> sft_labels(torch.tensor([[5, 6, 7, 2, 2]]), torch.tensor([2]), torch.tensor([4])).tolist()
    [[-100, -100, 7, 2, -100]]
    """
    positions = torch.arange(input_ids.shape[1], device=input_ids.device)  # (T,)
    answer = (positions >= prompt_lengths.unsqueeze(-1)) & (positions < lengths.unsqueeze(-1))  # (B, T)
    return input_ids.masked_fill(~answer, -100)


def pack_examples(examples: Sequence[Sequence[int]], length: int, eos_id: int) -> tuple[Tensor, Tensor]:
    """Put examples one after another into rows; an example is never split.

    Args:
        examples: Token lists, kept in order; each is closed by `eos_id`, which belongs to it.
        length: Tokens per row, L.
        eos_id: End token, also used as padding.

    Returns:
        `(input_ids, segment_ids)`, both `(R, L)` int64. A new row begins only where the next example does not fit
        (next-fit). Segments count from 1 in each row; 0 is padding.

    Raises:
        ValueError: Where an example with its end token is longer than a row.

    >>> pack_examples([[5, 6], [7], [8, 9]], 5, 0)[1].tolist()
    [[1, 1, 1, 2, 2], [1, 1, 1, 0, 0]]
    """
    rows: list[list[int]] = []
    segments: list[list[int]] = []
    for example in examples:
        tokens = [*example, eos_id]
        if len(tokens) > length:
            raise ValueError(f"an example of {len(tokens)} tokens with its end does not fit into a row of {length}")
        if not rows or len(rows[-1]) + len(tokens) > length:
            rows.append([])
            segments.append([])
        segment = segments[-1][-1] + 1 if segments[-1] else 1
        rows[-1] += tokens
        segments[-1] += [segment] * len(tokens)
    size = (len(rows), length)
    input_ids = torch.full(size, eos_id, dtype=torch.int64)
    segment_ids = torch.zeros(size, dtype=torch.int64)
    for i, (row, segment_row) in enumerate(zip(rows, segments, strict=True)):
        input_ids[i, : len(row)] = torch.tensor(row, dtype=torch.int64)
        segment_ids[i, : len(row)] = torch.tensor(segment_row, dtype=torch.int64)
    return input_ids, segment_ids


def packed_mask(segment_ids: Tensor) -> Tensor:
    """Who may attend to whom in packed rows: the past of the own example, itself included; padding to nothing.

    Args:
        segment_ids: `(R, L)`; 0 is padding.

    Returns:
        Bool `(R, 1, L, L)`, True means "may attend"; the axis of 1 broadcasts over heads.

    >>> packed_mask(torch.tensor([[1, 1, 2, 0]]))[0, 0].int().tolist()
    [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    """
    queries, keys = segment_ids.unsqueeze(-1), segment_ids.unsqueeze(-2)  # (R, L, 1), (R, 1, L)
    return ((queries == keys) & (keys > 0)).tril().unsqueeze(1)  # (R, 1, L, L)
