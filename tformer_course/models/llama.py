"""LLaMA: the block of chapter 05, and the whole model around it, which runs real weights and decodes with a cache.

Dimension key, the same letters in every chapter:
    B batch, H query heads, G key-value heads, R = H / G queries per key-value head, T queries, S keys, C d_model,
    D d_head, F d_ff, V vocabulary.
Sub-modules are named as in transformers, so that weights can be copied by name.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .attention import causal_mask
from .block import rms_norm
from .multi_head import grouped_query_attention, merge_heads, split_heads
from .positions import apply_rotary, rotary_tables

Cache = list[tuple[Tensor, Tensor]]  # per layer the keys and values so far, each (B, G, S, D)


class RMSNorm(nn.Module):
    """`rms_norm` of chapter 04 with its gain as a parameter.

    Args:
        d_model: C.
        eps: Added to the mean square, under the root.
    """

    def __init__(self, d_model: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """Maps `(…, C)` to `(…, C)`."""
        return rms_norm(x, self.weight, self.eps)


class GroupedAttention(nn.Module):
    """The four projections of a LLaMA block's attention; no biases.

    Args:
        d_model: C; each head is D = C / num_heads wide.
        num_heads: H.
        num_kv_heads: G, divides H.

    Raises:
        ValueError: Where H does not divide C, or G does not divide H.
    """

    def __init__(self, d_model: int, num_heads: int, num_kv_heads: int) -> None:
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"d_model {d_model} cannot be split into {num_heads} equal heads")
        if num_kv_heads < 1 or num_heads % num_kv_heads:
            raise ValueError(f"{num_heads} query heads cannot share {num_kv_heads} key-value heads evenly")
        self.num_heads, self.num_kv_heads = num_heads, num_kv_heads
        kv_width = d_model // num_heads * num_kv_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, kv_width, bias=False)
        self.v_proj = nn.Linear(d_model, kv_width, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def heads(self, x: Tensor, cos: Tensor, sin: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """q `(B, H, T, D)`, k and v `(B, G, T, D)` of x `(B, T, C)`; queries and keys are turned, values are not."""
        q = apply_rotary(split_heads(self.q_proj(x), self.num_heads), cos, sin)
        k = apply_rotary(split_heads(self.k_proj(x), self.num_kv_heads), cos, sin)
        return q, k, split_heads(self.v_proj(x), self.num_kv_heads)


class SwiGLU(nn.Module):
    """`swiglu` of chapter 04 with its three matrices as layers; no biases.

    Args:
        d_model: C.
        d_ff: F.
    """

    def __init__(self, d_model: int, d_ff: int) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(d_model, d_ff, bias=False)
        self.up_proj = nn.Linear(d_model, d_ff, bias=False)
        self.down_proj = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Maps `(…, C)` to `(…, C)`."""
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class LlamaBlock(nn.Module):
    """A decoder block of LLaMA: RMSNorm before each branch, RoPE, grouped queries, SwiGLU, no biases.

    Args:
        d_model: C.
        num_heads: H.
        num_kv_heads: G, divides H; G = H is multi-head, G = 1 multi-query attention.
        d_ff: F.
        eps: Of both norms.
        rope_base: θ.

    Raises:
        ValueError: Where H does not divide C, or G does not divide H.

    Source:
        Touvron et al. 2023 (arXiv 2302.13971), section 2.2; names of transformers' LlamaDecoderLayer.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        num_kv_heads: int,
        d_ff: int,
        eps: float = 1e-5,
        rope_base: float = 10000.0,
    ) -> None:
        super().__init__()
        self.d_head, self.rope_base = d_model // num_heads, rope_base
        self.input_layernorm = RMSNorm(d_model, eps)
        self.self_attn = GroupedAttention(d_model, num_heads, num_kv_heads)
        self.post_attention_layernorm = RMSNorm(d_model, eps)
        self.mlp = SwiGLU(d_model, d_ff)

    def forward(self, x: Tensor) -> Tensor:
        """Maps `(B, T, C)` to `(B, T, C)`; position t sees positions 0 … t."""
        length = x.shape[1]
        cos, sin = (table.to(x) for table in rotary_tables(length, self.d_head, self.rope_base))  # (T, D) each
        q, k, v = self.self_attn.heads(self.input_layernorm(x), cos, sin)
        mixed = grouped_query_attention(q, k, v, causal_mask(length).to(x.device))  # (B, H, T, D)
        return self.finish(x, mixed)

    def finish(self, x: Tensor, mixed: Tensor) -> Tensor:
        """Everything after the attention itself: both additions to the stream x `(B, T, C)`."""
        x = x + self.self_attn.o_proj(merge_heads(mixed))  # (B, T, C)
        return x + self.mlp(self.post_attention_layernorm(x))  # (B, T, C)


class Llama(nn.Module):
    """The whole language model: embedding, blocks, final norm, and the output layer.

    Args:
        vocab_size: V.
        d_model, num_heads, num_kv_heads, d_ff, eps, rope_base: As in `LlamaBlock`.
        num_layers: Number of blocks.
        max_len: Longest text; the tables of RoPE are made once for so many positions.
        tied: Whether the output layer is the embedding table, transposed.

    Source:
        Touvron et al. 2023; names of transformers' LlamaForCausalLM.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int,
        num_heads: int,
        num_kv_heads: int,
        d_ff: int,
        num_layers: int,
        max_len: int = 2048,
        eps: float = 1e-5,
        rope_base: float = 10000.0,
        tied: bool = False,
    ) -> None:
        super().__init__()
        self.model = nn.Module()
        self.model.embed_tokens = nn.Embedding(vocab_size, d_model)
        self.model.layers = nn.ModuleList(
            LlamaBlock(d_model, num_heads, num_kv_heads, d_ff, eps, rope_base) for _ in range(num_layers)
        )
        self.model.norm = RMSNorm(d_model, eps)
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        if tied:
            self.lm_head.weight = self.model.embed_tokens.weight
        for name, table in zip(("cos", "sin"), rotary_tables(max_len, d_model // num_heads, rope_base), strict=True):
            self.register_buffer(name, table, persistent=False)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits `(B, T, V)` of tokens `(B, T)`: every block as the exercise has it, without a cache."""
        x = self.model.embed_tokens(tokens)  # (B, T, C)
        for block in self.model.layers:
            x = block(x)
        return self.lm_head(self.model.norm(x))

    def step(self, tokens: Tensor, cache: Cache | None = None) -> tuple[Tensor, Cache]:
        """Read some more tokens after those in the cache.

        Args:
            tokens: `(B, T)`: a whole prompt with no cache, one token per call afterwards; several work too.
            cache: What the last call returned. It is not changed: a new one is returned.

        Returns:
            Logits `(B, T, V)` and the cache, which now holds the keys and values of these tokens as well.

        Raises:
            ValueError: Where the text grows longer than max_len.
        """
        before = cache[0][0].shape[-2] if cache else 0
        after = before + tokens.shape[1]
        if after > len(self.cos):
            raise ValueError(f"{after} positions, but the tables of RoPE have {len(self.cos)}")
        cos, sin = self.cos[before:after], self.sin[before:after]
        x = self.model.embed_tokens(tokens)  # (B, T, C)
        grown = []
        for layer, block in enumerate(self.model.layers):
            q, k, v = block.self_attn.heads(block.input_layernorm(x), cos, sin)
            if cache:
                # A key is turned by its own position once and for all: what is cached never changes.
                k = torch.cat((cache[layer][0], k), dim=-2)  # (B, G, S, D)
                v = torch.cat((cache[layer][1], v), dim=-2)
            grown.append((k, v))
            x = block.finish(x, attend_grouped(q, k, v))
        return self.lm_head(self.model.norm(x)), grown


def attend_grouped(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention of the last T of S positions, without a copy of the shared keys and values.

    Args:
        q: `(B, H, T, D)`, the last T positions.
        k: `(B, G, S, D)`, all positions so far.
        v: `(B, G, S, D)`.

    Returns:
        `(B, H, T, D)`: equal to `grouped_query_attention` with the causal mask.
    """
    heads, queries, width = q.shape[1:]
    groups, keys = k.shape[1:3]
    # The R heads that share a key-value head become R·T rows of one product: the cache is read once, not R times.
    q = q.reshape(-1, groups, heads // groups * queries, width)  # (B, G, R·T, D)
    scores = q @ k.transpose(-2, -1) / math.sqrt(width)  # (B, G, R·T, S)
    if queries > 1:  # a single query is the last position and may see all
        future = torch.ones(queries, keys, dtype=torch.bool, device=q.device).triu(keys - queries + 1)
        scores = scores.unflatten(2, (-1, queries)).masked_fill(future, -math.inf).flatten(2, 3)
    mixed = scores.softmax(dim=-1) @ v  # (B, G, R·T, D)
    return mixed.reshape(-1, heads, queries, width)


def llama_from(theirs: Any) -> Llama:
    """This course's LLaMA with the weights of a transformers model.

    Args:
        theirs: A LlamaForCausalLM.

    Returns:
        The model in evaluation mode, in the dtype of the weights, which are shared and not copied.

    Raises:
        ValueError: For a model that this code would run wrongly: scaled RoPE, biases, or heads of another width.
    """
    config = theirs.config
    rope = config.rope_parameters
    if rope.get("rope_type", "default") != "default":
        raise ValueError(f"RoPE of type {rope['rope_type']!r} is not this one; chapter 03 has the others")
    if config.attention_bias or config.mlp_bias:
        raise ValueError("the model has biases, and LlamaBlock has none")
    if config.head_dim * config.num_attention_heads != config.hidden_size:
        raise ValueError(
            f"heads of width {config.head_dim}, expected {config.hidden_size}/{config.num_attention_heads}"
        )
    with torch.device("meta"):
        ours = Llama(
            config.vocab_size,
            config.hidden_size,
            config.num_attention_heads,
            config.num_key_value_heads,
            config.intermediate_size,
            config.num_hidden_layers,
            eps=config.rms_norm_eps,
            max_len=1,
            tied=config.tie_word_embeddings,
        )
    ours.load_state_dict(theirs.state_dict(), assign=True)
    if config.tie_word_embeddings:
        ours.lm_head.weight = ours.model.embed_tokens.weight
    tables = rotary_tables(config.max_position_embeddings, config.head_dim, rope["rope_theta"])
    ours.cos, ours.sin = (table.to(ours.lm_head.weight) for table in tables)
    for block in ours.model.layers:
        block.rope_base = rope["rope_theta"]
    return ours.eval()
