"""Chapter 03, positions: the reference implementations.

Dimension key, the same letters in every chapter:
    B batch, H heads, T queries, S keys, C d_model, D d_head, V vocabulary; n is a number of positions.
"…" stands for any number of leading dimensions.
"""

from .encodings import shift_matrix, sinusoidal_encoding, spring_bias
from .extension import interpolate_positions, ntk_base, perplexity_by_length, yarn_frequencies
from .language_model import PositionLM, extended_tables
from .relative import alibi_bias, alibi_slopes, t5_bucket
from .rotary import apply_rotary, half_split_to_interleaved, rotary_frequencies, rotary_tables, tables_from_frequencies

__all__ = [
    "PositionLM",
    "alibi_bias",
    "alibi_slopes",
    "apply_rotary",
    "extended_tables",
    "half_split_to_interleaved",
    "interpolate_positions",
    "ntk_base",
    "perplexity_by_length",
    "rotary_frequencies",
    "rotary_tables",
    "shift_matrix",
    "sinusoidal_encoding",
    "spring_bias",
    "t5_bucket",
    "tables_from_frequencies",
    "yarn_frequencies",
]
