"""Chapter 04, the Transformer block and keeping it trainable: the reference implementations.

`parts` holds what a block is made of, `signal` what keeps numbers and gradients in size, `blocks` the blocks and the
encoder–decoder built from them.
"""

from .blocks import DecoderBlock, Seq2Seq, TransformerBlock
from .parts import drop_path, feed_forward, layer_norm, rms_norm, swiglu, swiglu_hidden
from .signal import forward_variances, gradient_norms, he_std, residual_std, xavier_std

__all__ = [
    "DecoderBlock",
    "Seq2Seq",
    "TransformerBlock",
    "drop_path",
    "feed_forward",
    "forward_variances",
    "gradient_norms",
    "he_std",
    "layer_norm",
    "residual_std",
    "rms_norm",
    "swiglu",
    "swiglu_hidden",
    "xavier_std",
]
