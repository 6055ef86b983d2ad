"""Checks of chapter 06, efficient attention: what the visible test cells look at, and the mistakes they can name."""

from .bigbird import BIGBIRD_MASK
from .costs import HBM_TRAFFIC, KEEP_TOP_SCORES
from .exact import ONLINE_SOFTMAX
from .exported import EXPORT_BLOCK
from .flash import FLASH_ATTENTION
from .levels import HIERARCHICAL_ATTENTION, WINDOW_MASK_3D
from .linear import FAVOR_FEATURES, LINEAR_ATTENTION
from .linformer import LINFORMER_ATTENTION
from .masks import LONGFORMER_MASK, SLIDING_WINDOW_MASK
from .windows import SLIDING_WINDOW_ATTENTION

EXERCISES = (
    SLIDING_WINDOW_MASK,
    LONGFORMER_MASK,
    BIGBIRD_MASK,
    SLIDING_WINDOW_ATTENTION,
    KEEP_TOP_SCORES,
    WINDOW_MASK_3D,
    HIERARCHICAL_ATTENTION,
    LINEAR_ATTENTION,
    FAVOR_FEATURES,
    LINFORMER_ATTENTION,
    ONLINE_SOFTMAX,
    FLASH_ATTENTION,
    HBM_TRAFFIC,
    EXPORT_BLOCK,
)

__all__ = ["EXERCISES"]
