"""The tasks of chapter 07: selective copying for state spaces, and tokens of several kinds for a layer of experts."""

from .copying import (
    NOISE,
    READ,
    SYMBOLS,
    Copier,
    accuracy_by_place,
    copying_accuracy,
    copying_batch,
    said_rightly,
    train_copier,
)
from .experts import FEATURES, KINDS, ExpertLayer, expert_by_kind, kinds_batch, train_experts
from .inside import hidden_attention, step_sizes
from .scans import quick_convolution, quick_scan

__all__ = [
    "FEATURES",
    "KINDS",
    "NOISE",
    "READ",
    "SYMBOLS",
    "Copier",
    "ExpertLayer",
    "accuracy_by_place",
    "copying_accuracy",
    "copying_batch",
    "expert_by_kind",
    "hidden_attention",
    "kinds_batch",
    "quick_convolution",
    "quick_scan",
    "said_rightly",
    "step_sizes",
    "train_copier",
    "train_experts",
]
