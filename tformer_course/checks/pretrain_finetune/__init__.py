"""Checks of chapter 08: what the visible test cells look at, and the mistakes that they can name."""

from .accumulating import ACCUMULATE_GRADIENTS
from .adamw import ADAMW_STEP
from .labels import SFT_LABELS
from .lora import LORA_LINEAR
from .losses import MLM_LOSS, NEXT_TOKEN_LOSS
from .masks import PACKED_MASK
from .packing import PACK_EXAMPLES
from .perplexity import PERPLEXITY
from .schedule import COSINE_WITH_WARMUP
from .share import TRAINABLE_SHARE

EXERCISES = (
    NEXT_TOKEN_LOSS,
    PERPLEXITY,
    MLM_LOSS,
    COSINE_WITH_WARMUP,
    ADAMW_STEP,
    ACCUMULATE_GRADIENTS,
    SFT_LABELS,
    PACK_EXAMPLES,
    PACKED_MASK,
    LORA_LINEAR,
    TRAINABLE_SHARE,
)

__all__ = ["EXERCISES"]
