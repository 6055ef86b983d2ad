"""Checks of chapter 02, many heads: what the visible test cells look at, and the mistakes that they can name."""

from .heads import GROUPED_QUERY_ATTENTION, MERGE_HEADS, MHA_COST, MULTI_HEAD_ATTENTION, SPLIT_HEADS
from .looking import (
    ATTENTION_ENTROPY,
    AVERAGE_HEADS,
    CAPTURE_ATTENTION,
    EFFECTIVE_RANK,
    HEAD_IMPORTANCE,
    SATURATION,
)

EXERCISES = (
    SPLIT_HEADS,
    MERGE_HEADS,
    MULTI_HEAD_ATTENTION,
    GROUPED_QUERY_ATTENTION,
    MHA_COST,
    CAPTURE_ATTENTION,
    AVERAGE_HEADS,
    ATTENTION_ENTROPY,
    EFFECTIVE_RANK,
    SATURATION,
    HEAD_IMPORTANCE,
)

__all__ = ["EXERCISES"]
