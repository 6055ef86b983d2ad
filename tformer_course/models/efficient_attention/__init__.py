"""Chapter 06, efficient attention: the reference implementations.

Dimension key, the same letters in every chapter:
    B batch, H heads, T queries, S keys, C d_model, D d_head, D_v width of a value; n is a length, m a number of
    features, M the elements that fit into fast memory.
"…" stands for any number of leading dimensions. A mask is boolean and True means "may attend". Scores are divided by
√D unless said otherwise.
"""

from .flash import flash_attention, online_softmax, sliding_window_attention
from .hierarchy import hierarchical_attention
from .linear import delta_rule, elu_features, favor_features, linear_attention, linformer_attention, orthogonal_gaussian
from .masks import bigbird_mask, keep_top_scores, longformer_mask, sliding_window_mask, window_mask_3d
from .serving import export_block, onnx_missing
from .traffic import SlowMemory, hbm_traffic, roofline, simulate_flash, simulate_standard
from .watch import LargestTensor

__all__ = [
    "LargestTensor",
    "SlowMemory",
    "bigbird_mask",
    "delta_rule",
    "elu_features",
    "export_block",
    "favor_features",
    "flash_attention",
    "hbm_traffic",
    "hierarchical_attention",
    "keep_top_scores",
    "linear_attention",
    "linformer_attention",
    "longformer_mask",
    "online_softmax",
    "onnx_missing",
    "orthogonal_gaussian",
    "roofline",
    "simulate_flash",
    "simulate_standard",
    "sliding_window_attention",
    "sliding_window_mask",
    "window_mask_3d",
]
