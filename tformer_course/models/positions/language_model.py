"""A language model small enough to train in half a minute, whose positions can be chosen."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from .encodings import sinusoidal_encoding
from .extension import interpolate_positions, ntk_base, yarn_frequencies
from .relative import alibi_bias
from .rotary import apply_rotary, rotary_frequencies, rotary_tables, tables_from_frequencies

Tables = Callable[[int], tuple[Tensor, Tensor]]
KINDS = ("none", "learned", "sinusoidal", "rope", "alibi")


class PositionBlock(nn.Module):
    """A pre-norm Transformer block whose attention takes a bias and, for RoPE, tables.

    Args:
        d_model: C.
        num_heads: H.
    """

    def __init__(self, d_model: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))

    def forward(
        self, x: Tensor, bias: Tensor, tables: tuple[Tensor, Tensor] | None, return_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Maps `(B, T, C)` to `(B, T, C)`, and weights `(B, H, T, T)` or None; bias is −inf where none may look."""
        batch, length, width = x.shape
        heads = self.qkv(self.norm1(x)).view(batch, length, 3, self.num_heads, -1)
        q, k, v = heads.permute(2, 0, 3, 1, 4)  # (B, H, T, D) each
        if tables is not None:
            q, k = apply_rotary(q, *tables), apply_rotary(k, *tables)
        weights = None
        if return_weights:
            weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]) + bias).softmax(dim=-1)  # (B, H, T, T)
            mixed = weights @ v  # (B, H, T, D)
        else:  # torch's kernel makes no (T, T) matrix: at 1,024 tokens it is several times faster
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, length, width))  # (B, T, C)
        return x + self.ffn(self.norm2(x)), weights


class PositionLM(nn.Module):
    """A decoder-only language model.

    Args:
        positions: "none", "learned" (a table of max_len rows), "sinusoidal", "rope" or "alibi".
        vocab_size: V.
        d_model: C.
        num_heads: H.
        num_layers: Number of blocks.
        max_len: Rows of the learned table; the other kinds have no such limit.

    Raises:
        ValueError: For another kind of positions.
    """

    def __init__(
        self,
        positions: str,
        vocab_size: int,
        d_model: int = 64,
        num_heads: int = 4,
        num_layers: int = 2,
        max_len: int = 64,
    ) -> None:
        super().__init__()
        if positions not in KINDS:
            raise ValueError(f"positions is {positions!r}; known are {', '.join(KINDS)}")
        self.kind, self.num_heads, self.d_head = positions, num_heads, d_model // num_heads
        self.embed = nn.Embedding(vocab_size, d_model)
        self.table = nn.Embedding(max_len, d_model) if positions == "learned" else None
        self.blocks = nn.ModuleList(PositionBlock(d_model, num_heads) for _ in range(num_layers))
        self.norm, self.head = nn.LayerNorm(d_model), nn.Linear(d_model, vocab_size)
        self.tables: Tables = lambda length: rotary_tables(length, self.d_head)  # may be exchanged after training
        for embedding in (self.embed, self.table):
            if embedding is not None:
                nn.init.normal_(embedding.weight, std=0.1)

    def forward(self, tokens: Tensor, return_weights: bool = False) -> Tensor | tuple[Tensor, list[Tensor]]:
        """Logits `(B, T, V)` of tokens `(B, T)`; with return_weights also one `(B, H, T, T)` per layer.

        Raises:
            IndexError: For a learned table that has fewer than T rows.
        """
        length = tokens.shape[1]
        x = self.embed(tokens)  # (B, T, C)
        if self.kind == "learned":
            x = x + self.table(torch.arange(length))
        elif self.kind == "sinusoidal":
            x = x + 0.1 * sinusoidal_encoding(length, x.shape[-1])  # as large as the embeddings at the start
        bias = torch.full((length, length), -math.inf).triu(1)
        bias = alibi_bias(self.num_heads, length) if self.kind == "alibi" else bias
        tables = self.tables(length) if self.kind == "rope" else None
        all_weights = []
        for block in self.blocks:
            x, weights = block(x, bias, tables, return_weights)
            all_weights.append(weights)
        logits = self.head(self.norm(x))  # (B, T, V)
        return (logits, all_weights) if return_weights else logits


def extended_tables(method: str, d_head: int, train_len: int, base: float = 10000.0) -> Tables:
    """Tables of RoPE for a text of any length, by one of the methods of the chapter.

    Args:
        method: "raw" (as trained), "pi", "ntk" or "yarn".
        d_head: D.
        train_len: Length at training; the factor is length / train_len, and 1 for shorter texts.
        base: θ at training.

    Returns:
        A function from a length to (cos, sin).

    Raises:
        ValueError: For another method.
    """
    if method not in ("raw", "pi", "ntk", "yarn"):
        raise ValueError(f"method is {method!r}; known are raw, pi, ntk, yarn")

    def tables(length: int) -> tuple[Tensor, Tensor]:
        positions, factor, scale = torch.arange(length), max(1.0, length / train_len), 1.0
        frequencies = rotary_frequencies(d_head, base)
        if method == "pi":
            positions = interpolate_positions(positions, train_len, max(length, train_len))
        elif method == "ntk":
            frequencies = rotary_frequencies(d_head, ntk_base(base, d_head, factor))
        elif method == "yarn":
            frequencies, scale = yarn_frequencies(d_head, base, train_len, factor)
        return tables_from_frequencies(frequencies, positions, scale)

    return tables
