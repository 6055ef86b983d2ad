"""BERT: its embedding and its layer, named as in transformers, so that real weights can be loaded."""

from __future__ import annotations

from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ..attention import scaled_dot_product_attention
from ..block import layer_norm
from ..multi_head import merge_heads, split_heads


def bert_embed(input_ids: Tensor, token_type_ids: Tensor, weights: Mapping[str, Tensor]) -> Tensor:
    """BERT's input: the sum of three embeddings, normalised.

    Args:
        input_ids: `(B, T)` int64.
        token_type_ids: `(B, T)` int64: 0 for the first sentence, 1 for the second.
        weights: The embedding module's state dict: `word_embeddings.weight (V, C)`, `position_embeddings.weight`,
            `token_type_embeddings.weight`, `LayerNorm.weight (C,)`, `LayerNorm.bias`.

    Returns:
        `(B, T, C)`; positions count from 0, eps is 1e-12.

    Source:
        Devlin et al. 2019 (arXiv 1810.04805), figure 2; transformers' BertEmbeddings.
    """
    x = weights["word_embeddings.weight"][input_ids]  # (B, T, C)
    x = x + weights["position_embeddings.weight"][: input_ids.shape[1]]
    x = x + weights["token_type_embeddings.weight"][token_type_ids]
    return layer_norm(x, weights["LayerNorm.weight"], weights["LayerNorm.bias"], eps=1e-12)


class BertLayer(nn.Module):
    """An encoder layer of BERT: post-norm, exact GELU, no dropout.

    Args:
        d_model: C.
        num_heads: H.
        d_ff: F.
        eps: Of both norms.

    Raises:
        ValueError: Where H does not divide C.

    Source:
        Devlin et al. 2019, section 3; names of transformers' BertLayer.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int, eps: float = 1e-12) -> None:
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"d_model {d_model} cannot be split into {num_heads} equal heads")
        self.num_heads = num_heads
        self.attention = nn.Module()
        self.attention.self = nn.Module()
        for name in ("query", "key", "value"):
            setattr(self.attention.self, name, nn.Linear(d_model, d_model))
        self.attention.output = _output(d_model, d_model, eps)
        self.intermediate = nn.Module()
        self.intermediate.dense = nn.Linear(d_model, d_ff)
        self.output = _output(d_ff, d_model, eps)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Maps `(B, T, C)` to `(B, T, C)`; mask broadcasts against `(B, H, T, T)`."""
        inner, after = self.attention.self, self.attention.output
        q, k, v = (split_heads(layer(x), self.num_heads) for layer in (inner.query, inner.key, inner.value))
        mixed = merge_heads(scaled_dot_product_attention(q, k, v, mask)[0])  # (B, T, C)
        x = after.LayerNorm(x + after.dense(mixed))
        hidden = F.gelu(self.intermediate.dense(x))  # (B, T, F)
        return self.output.LayerNorm(x + self.output.dense(hidden))


def _output(width: int, d_model: int, eps: float) -> nn.Module:
    """What transformers calls an output module: a linear layer and the norm after the addition."""
    module = nn.Module()
    module.dense = nn.Linear(width, d_model)
    module.LayerNorm = nn.LayerNorm(d_model, eps=eps)
    return module


def bert_hidden_states(theirs: nn.Module, inputs: Mapping[str, Tensor]) -> Tensor:
    """Run the weights of a transformers BertModel through this course's embedding and layers.

    Args:
        theirs: A BertModel.
        inputs: The tokenizer's dict: `input_ids`, `token_type_ids` and `attention_mask`, `(B, T)` each.

    Returns:
        The last hidden state `(B, T, C)`. Entries at padding mean nothing, here as there.
    """
    config = theirs.config
    x = bert_embed(inputs["input_ids"], inputs["token_type_ids"], theirs.embeddings.state_dict())
    mask = inputs["attention_mask"].bool()[:, None, None, :]  # (B, 1, 1, T): keys that are padding are hidden
    for their_layer in theirs.encoder.layer:
        layer = BertLayer(
            config.hidden_size, config.num_attention_heads, config.intermediate_size, config.layer_norm_eps
        ).to(x.dtype)
        layer.load_state_dict(their_layer.state_dict())
        with torch.no_grad():
            x = layer(x, mask)
    return x
