"""The reference implementations, chapter by chapter."""

from .attention import (
    additive_attention,
    causal_mask,
    crossover_length,
    layer_cost,
    masked_softmax,
    padding_mask,
    permutation_gap,
    previous_token_scores,
    scaled_dot_product_attention,
    score_variance,
    softmax_jacobian_norm,
)

__all__ = [
    "additive_attention",
    "causal_mask",
    "crossover_length",
    "layer_cost",
    "masked_softmax",
    "padding_mask",
    "permutation_gap",
    "previous_token_scores",
    "scaled_dot_product_attention",
    "score_variance",
    "softmax_jacobian_norm",
]
