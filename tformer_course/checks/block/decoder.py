"""DecoderBlock."""

from __future__ import annotations

from ...models.attention import causal_mask
from ...models.block import blocks as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_blocks as wrong
from .weights import decoder_weights, load, names_fit, parameter_shapes


def _decoder(answer, weights, x, memory, self_mask=None, memory_mask=None):
    module = answer(x.shape[-1], 2, weights["ffn.0.bias"].shape[0]).eval()
    masks = {"self_mask": self_mask, "memory_mask": memory_mask}
    return load(module, weights)(x, memory, **{k: v for k, v in masks.items() if v is not None})


def _decoder_inputs(draw, queries=5, keys=5):
    sides = [draw.normal(2, n, 6) for n in (queries, keys)]
    return [decoder_weights(draw, 6, 10), *sides]


# Equal lengths come first: a wrong pairing is then no shape error, but a wrong number.
DECODER_BLOCK = Exercise(
    name="DecoderBlock",
    points=2,
    reference=reference.DecoderBlock,
    cases=(
        Case("parameters", lambda draw: [8, 2, 20], holds=names_fit(reference.DecoderBlock), call=parameter_shapes),
        Case("no masks", _decoder_inputs, call=_decoder, grad=True),
        Case(
            "both masks",
            lambda draw: [*_decoder_inputs(draw), causal_mask(5), draw.mask(2, 1, 5, 5, keep=0.5)],
            call=_decoder,
            grad=True,
        ),
        Case(
            "memory of another length",
            lambda draw: [*_decoder_inputs(draw, 4, 7), causal_mask(4), draw.mask(2, 1, 1, 7, keep=0.5)],
            call=_decoder,
        ),
        Case(
            "masks by position",
            lambda draw: [*_decoder_inputs(draw), causal_mask(5), draw.mask(5, 5, keep=0.5)],
            call=lambda answer, w, *a: load(answer(6, 2, 10), w)(*a),
        ),
    ),
    mistakes=(
        Mistake(
            "first_sample_only",
            "you take [0] of what the attention returns, and so add the first sample's branch to all. What does "
            "MultiHeadAttention return when no weights are asked for?",
            wrong.decoder(cross="first_sample"),
        ),
        Mistake(
            "memory_as_query",
            "in the cross-attention the memory asks and the target answers. Who needs something from whom?",
            wrong.decoder(cross="memory_as_query"),
        ),
        Mistake(
            "masks_swapped",
            "self_mask goes to the cross-attention and memory_mask to the self-attention. Which keys does each mask "
            "hide?",
            wrong.decoder(masks="swapped"),
        ),
        Mistake(
            "cross_attention_first",
            "your cross-attention comes before the self-attention. In which order does the exercise name them?",
            wrong.decoder(order="cross_first"),
        ),
        Mistake(
            "cross_attention_first_with_norm1",
            "your cross-attention comes before the self-attention. In which order does the exercise name them?",
            wrong.decoder(order="cross_first_norms_in_order"),
        ),
        Mistake(
            "memory_not_used",
            "the memory changes nothing in your result. Which argument of MultiHeadAttention takes it?",
            wrong.decoder(cross="no_memory"),
        ),
        Mistake(
            "memory_in_self_attention",
            "the self-attention reads the memory too. From where do its keys and values come?",
            wrong.decoder(cross="in_both"),
        ),
        Mistake(
            "memory_normalised",
            "norm2 is applied to the memory too. Who has normalised it already?",
            wrong.decoder(cross="memory_normalised"),
        ),
        Mistake(
            "only_memory_normalised",
            "norm2 is applied to the memory in place of the stream. What does a pre-norm branch normalise?",
            wrong.decoder(cross="only_memory_normalised"),
        ),
        Mistake(
            "post_norm",
            "your block normalises after each addition. Which order does the exercise ask for?",
            wrong.decoder(order="post"),
        ),
        Mistake(
            "norms_misplaced",
            "norm2 and norm3 have changed places. Which one belongs to the cross-attention?",
            wrong.decoder(order="norms_swapped"),
        ),
        Mistake(
            "cross_residual_missing",
            "the cross-attention replaces the stream. To what should its output be added?",
            wrong.decoder(order="cross_residual_missing"),
        ),
        Mistake(
            "ffn_residual_missing",
            "the feed-forward branch replaces the stream. To what should its output be added?",
            wrong.decoder(order="ffn_residual_missing"),
        ),
        Mistake(
            "residual_after_norm",
            "each branch is added to its normalised input. What should it be added to: x or norm(x)?",
            wrong.decoder(order="residual_after_norm"),
        ),
        Mistake(
            "parallel_attentions",
            "both attentions read the block's input, side by side. What should the cross-attention read?",
            wrong.decoder(order="parallel"),
        ),
        Mistake(
            "masks_inverted",
            "you hide what the masks allow. What does True mean in this course?",
            wrong.decoder(masks="inverted"),
        ),
        Mistake(
            "memory_mask_inverted",
            "you hide what memory_mask allows. What does True mean in this course?",
            wrong.decoder(masks="memory_inverted"),
        ),
        Mistake(
            "feed_forward_before_cross",
            "your feed-forward network comes before the cross-attention. In which order does the exercise name them?",
            wrong.decoder(order="ffn_before_cross"),
        ),
        Mistake(
            "own_causal_mask",
            "without any mask your block hides the future by itself. Whose task is the causal mask here?",
            wrong.decoder(masks="own_causal"),
        ),
        Mistake(
            "self_mask_dropped",
            "self_mask changes nothing in your result. To which sub-module must it be passed?",
            wrong.decoder(masks="no_self"),
        ),
        Mistake(
            "memory_mask_dropped",
            "memory_mask changes nothing in your result. To which sub-module must it be passed?",
            wrong.decoder(masks="no_memory"),
        ),
        Mistake(
            "one_mask_for_both",
            "self_mask hides keys of the memory too. May a target position read the whole source?",
            wrong.decoder(masks="self_for_both"),
        ),
    ),
)
