"""Checks of chapter 01, attention: what the visible test cells look at, and the mistakes that they can name."""

from .additive import ADDITIVE_ATTENTION
from .costs import CROSSOVER_LENGTH, LAYER_COST
from .dot_product import SCALED_DOT_PRODUCT_ATTENTION
from .masks import CAUSAL_MASK, PADDING_MASK
from .measures import SCORE_VARIANCE, SOFTMAX_JACOBIAN_NORM
from .permutations import PERMUTATION_GAP
from .previous_token import PREVIOUS_TOKEN_SCORES

EXERCISES = (
    ADDITIVE_ATTENTION,
    SCALED_DOT_PRODUCT_ATTENTION,
    CAUSAL_MASK,
    PADDING_MASK,
    SCORE_VARIANCE,
    SOFTMAX_JACOBIAN_NORM,
    PERMUTATION_GAP,
    LAYER_COST,
    CROSSOVER_LENGTH,
    PREVIOUS_TOKEN_SCORES,
)

__all__ = ["EXERCISES"]
