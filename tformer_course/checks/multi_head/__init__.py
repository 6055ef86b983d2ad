"""Checks of chapter 02, many heads: what the visible test cells look at, and the mistakes that they can name."""

from .capture import CAPTURE_ATTENTION
from .grouped import GROUPED_QUERY_ATTENTION, MHA_COST
from .importance import HEAD_IMPORTANCE
from .layer import MULTI_HEAD_ATTENTION
from .maps import ATTENTION_ENTROPY, AVERAGE_HEADS
from .measures import EFFECTIVE_RANK, SATURATION
from .split import MERGE_HEADS, SPLIT_HEADS

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
