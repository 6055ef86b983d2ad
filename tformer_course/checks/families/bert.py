"""bert_embed."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.families import bert as reference
from ..core.exercise import Case, Mistake
from .by_hand import ByHand


def embedding_weights(draw, vocab: int, positions: int, width: int, dtype=torch.float64) -> dict[str, Tensor]:
    """Random weights of BERT's embedding, by parameter name; small, so that eps can be seen."""
    return {
        "word_embeddings.weight": draw.normal(vocab, width, dtype=dtype),
        "position_embeddings.weight": draw.normal(positions, width, dtype=dtype),
        "token_type_embeddings.weight": draw.normal(2, width, dtype=dtype),
        "LayerNorm.weight": draw.normal(width, dtype=dtype, scale=0.3) + 1,
        "LayerNorm.bias": draw.normal(width, dtype=dtype),
    }


def embedding_inputs(draw, vocab=20, positions=9, width=6, rows=3, length=5, dtype=torch.float64):
    """Arguments of bert_embed."""
    return [
        draw.integers(0, vocab - 1, rows, length),
        draw.integers(0, 1, rows, length),
        embedding_weights(draw, vocab, positions, width, dtype),
    ]


def _wrong_embed(positions=0, norm="after", types="right", eps=1e-12, affine="right"):
    def bert_embed(input_ids, token_type_ids, weights):
        table = weights["position_embeddings.weight"]
        words = weights["word_embeddings.weight"][input_ids]
        length = input_ids.shape[1]
        place = (
            table[:0].new_zeros(length, table.shape[1]) if positions is None else table[positions : positions + length]
        )
        kind = weights["token_type_embeddings.weight"]
        segment = {"right": kind[token_type_ids], "first": kind[0], "flipped": kind[1 - token_type_ids]}.get(types, 0)
        gain, bias = weights["LayerNorm.weight"], weights["LayerNorm.bias"]
        if affine == "swapped":
            gain, bias = bias, gain
        shape = (words.shape[-1],)
        if norm == "words_only":
            return F.layer_norm(words, shape, gain, bias, eps) + place + segment
        x = words + place + segment
        if norm == "none":
            return x
        if norm == "no_affine":
            return F.layer_norm(x, shape, None, None, eps)
        if norm == "scaled_words":
            x = x + words * (math.sqrt(shape[0]) - 1)
        return F.layer_norm(x, shape, gain, bias, eps)

    return bert_embed


def _tiny(draw):
    """Embeddings so small that eps decides."""
    ids, types, weights = embedding_inputs(draw)
    return [ids, types, {k: v * 1e-4 if "embeddings" in k else v for k, v in weights.items()}]


BERT_EMBED = ByHand(
    name="bert_embed",
    points=1,
    reference=reference.bert_embed,
    forbid=(),
    cases=(
        Case("the sum, normalised", embedding_inputs, grad=True),
        Case("another length", lambda draw: embedding_inputs(draw, length=9, rows=2)),
        Case("eps", _tiny),
    ),
    mistakes=(
        Mistake(
            "no_layer_norm",
            "the sum is not normalised. What follows the three embeddings?",
            _wrong_embed(norm="none"),
        ),
        Mistake(
            "positions_from_one", "your positions start at 1. Which row belongs to the first token?", _wrong_embed(1)
        ),
        Mistake("no_positions", "your tokens have no position. Which table tells it?", _wrong_embed(None)),
        Mistake(
            "no_token_types",
            "token_type_ids changes nothing. Which table does it look into?",
            _wrong_embed(types="none"),
        ),
        Mistake(
            "first_type_for_all",
            "every token gets the type 0. Which row does token_type_ids name?",
            _wrong_embed(types="first"),
        ),
        Mistake(
            "types_flipped",
            "the two token types are swapped. Which row belongs to 0?",
            _wrong_embed(types="flipped"),
        ),
        Mistake(
            "words_normalised_alone",
            "only the word embedding is normalised. When does the norm come: before or after the sum?",
            _wrong_embed(norm="words_only"),
        ),
        Mistake(
            "no_gain_and_bias",
            "you normalise without LayerNorm.weight and LayerNorm.bias. What happens to the normalised sum?",
            _wrong_embed(norm="no_affine"),
        ),
        Mistake(
            "gain_and_bias_swapped", "gain and bias are swapped. Which multiplies?", _wrong_embed(affine="swapped")
        ),
        Mistake(
            "scaled_words",
            "you multiply the word embedding by √C, as the Transformer of 2017 does. Does BERT?",
            _wrong_embed(norm="scaled_words"),
        ),
        Mistake("other_eps", "your eps is not 1e-12. Which default does torch take?", _wrong_embed(eps=1e-5)),
    ),
)
