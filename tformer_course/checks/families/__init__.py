"""Checks of chapter 05, the families: what the visible test cells look at, and the mistakes that they can name."""

from .bert import BERT_EMBED
from .bert_layer import BERT_LAYER
from .caching import GENERATE_CACHED
from .counting import COUNT_PARAMETERS
from .llama import LLAMA_BLOCK
from .masking import MASK_TOKENS
from .pairs import NSP_PAIRS
from .pictures import CLIP_LOSS, PATCHIFY
from .sampling import SAMPLE_NEXT
from .shifting import SHIFT_LABELS
from .spans import SPAN_CORRUPTION

EXERCISES = (
    MASK_TOKENS,
    NSP_PAIRS,
    SPAN_CORRUPTION,
    SHIFT_LABELS,
    LLAMA_BLOCK,
    BERT_EMBED,
    BERT_LAYER,
    SAMPLE_NEXT,
    GENERATE_CACHED,
    COUNT_PARAMETERS,
    PATCHIFY,
    CLIP_LOSS,
)

__all__ = ["EXERCISES"]
