"""Checks of chapter 04, the block: what the visible test cells look at, and the mistakes that they can name."""

from .decoder import DECODER_BLOCK
from .deviations import HE_STD, RESIDUAL_STD, XAVIER_STD
from .encoder import TRANSFORMER_BLOCK
from .gradients import GRADIENT_NORMS
from .networks import FEED_FORWARD, SWIGLU, SWIGLU_HIDDEN
from .norms import LAYER_NORM, RMS_NORM
from .paths import DROP_PATH
from .seq2seq import SEQ2SEQ
from .variances import FORWARD_VARIANCES

EXERCISES = (
    LAYER_NORM,
    RMS_NORM,
    FEED_FORWARD,
    SWIGLU,
    SWIGLU_HIDDEN,
    TRANSFORMER_BLOCK,
    GRADIENT_NORMS,
    XAVIER_STD,
    HE_STD,
    RESIDUAL_STD,
    FORWARD_VARIANCES,
    DROP_PATH,
    DECODER_BLOCK,
    SEQ2SEQ,
)

__all__ = ["EXERCISES"]
