"""Checks of chapter 03, positions: what the visible test cells look at, and the mistakes that they can name."""

from .bias import ALIBI_BIAS, ALIBI_SLOPES, SPRING_BIAS
from .extension import INTERPOLATE_POSITIONS, NTK_BASE
from .length import PERPLEXITY_BY_LENGTH
from .rotary import APPLY_ROTARY, ROTARY_TABLES
from .sinusoids import SHIFT_MATRIX, SINUSOIDAL_ENCODING
from .yarn import YARN_FREQUENCIES

EXERCISES = (
    SINUSOIDAL_ENCODING,
    SHIFT_MATRIX,
    SPRING_BIAS,
    ROTARY_TABLES,
    APPLY_ROTARY,
    ALIBI_SLOPES,
    ALIBI_BIAS,
    INTERPOLATE_POSITIONS,
    NTK_BASE,
    YARN_FREQUENCIES,
    PERPLEXITY_BY_LENGTH,
)

__all__ = ["EXERCISES"]
