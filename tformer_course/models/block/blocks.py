"""The encoder block, the decoder block, and the encoder–decoder built from them.

Dimension key, the same letters in every chapter:
    B batch, H heads, T queries (target), S keys (source), C d_model, F d_ff, V vocabulary.
A mask is boolean and True means "may attend".
"""

from __future__ import annotations

from torch import Tensor, nn

from ..attention import causal_mask
from ..multi_head import MultiHeadAttention
from .parts import drop_path


def _feed_forward(d_model: int, d_ff: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))


class TransformerBlock(nn.Module):
    """Self-attention and a feed-forward network, each as a branch that is added to the residual stream.

    With causal masks a stack of these is GPT, without them the encoder of BERT.

    Args:
        d_model: Width C of the stream.
        num_heads: H.
        d_ff: Hidden width F of the feed-forward network.
        norm: "pre" normalises what a branch reads, "post" (the 2017 order) normalises the stream after each addition.
        drop_path: Probability with which a sample loses a branch in training; one coin per branch and sample.

    Raises:
        ValueError: For another `norm`, or where H does not divide C.

    Source:
        Vaswani et al. 2017 (arXiv 1706.03762), section 3.1; Xiong et al. 2020 (arXiv 2002.04745), table 1.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int, norm: str = "pre", drop_path: float = 0.0) -> None:
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f"norm is {norm!r}; known are 'pre' and 'post'")
        self.norm = norm
        self.drop_path = drop_path
        self.norm1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.ffn = _feed_forward(d_model, d_ff)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """x: `(B, T, C)`; mask broadcasts against `(B, H, T, T)`. Returns `(B, T, C)`."""
        if self.norm == "pre":
            x = x + self._drop(self.attn(self.norm1(x), mask=mask))  # (B, T, C)
            return x + self._drop(self.ffn(self.norm2(x)))  # (B, T, C)
        x = self.norm1(x + self._drop(self.attn(x, mask=mask)))  # (B, T, C)
        return self.norm2(x + self._drop(self.ffn(x)))  # (B, T, C)

    def _drop(self, branch: Tensor) -> Tensor:
        return drop_path(branch, self.drop_path, self.training)


class DecoderBlock(nn.Module):
    """Self-attention over the target, cross-attention into the source, feed-forward network; all pre-norm.

    The block brings no mask of its own: the caller gives the causal one as `self_mask`. The memory is used as it comes;
    the encoder's final norm has normalised it.

    Args:
        d_model: Width C of the stream and of the memory.
        num_heads: H, of both attentions.
        d_ff: Hidden width F of the feed-forward network.

    Raises:
        ValueError: Where H does not divide C.

    Source:
        Vaswani et al. 2017, section 3.1, with the norms moved into the branches.
    """

    def __init__(self, d_model: int, num_heads: int, d_ff: int) -> None:
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.norm3 = nn.LayerNorm(d_model)
        self.ffn = _feed_forward(d_model, d_ff)

    def forward(
        self, x: Tensor, memory: Tensor, self_mask: Tensor | None = None, memory_mask: Tensor | None = None
    ) -> Tensor:
        """Queries come from the target, keys and values of the cross-attention from the memory.

        Args:
            x: `(B, T, C)`, the target side.
            memory: `(B, S, C)`, the encoder's output.
            self_mask: Broadcasts against `(B, H, T, T)`.
            memory_mask: Broadcasts against `(B, H, T, S)`.

        Returns:
            `(B, T, C)`.
        """
        x = x + self.self_attn(self.norm1(x), mask=self_mask)  # (B, T, C)
        x = x + self.cross_attn(self.norm2(x), context=memory, mask=memory_mask)  # (B, T, C)
        return x + self.ffn(self.norm3(x))  # (B, T, C)


class Seq2Seq(nn.Module):
    """Encoder–decoder: reads a source, and scores the next target token at every position of the target.

    Args:
        vocab_size: V, of both sides.
        d_model: C.
        num_heads: H.
        num_layers: Number of encoder blocks, and of decoder blocks. Their d_ff is 4C.
        max_len: Longest source and longest target.

    Raises:
        ValueError: Where H does not divide C.

    Source:
        Vaswani et al. 2017, figure 1, with pre-norm blocks and learned positions.
    """

    def __init__(self, vocab_size: int, d_model: int, num_heads: int, num_layers: int, max_len: int) -> None:
        super().__init__()
        self.token = nn.Embedding(vocab_size, d_model)
        self.source_position = nn.Embedding(max_len, d_model)
        self.target_position = nn.Embedding(max_len, d_model)
        self.encoder = nn.ModuleList(TransformerBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers))
        self.encoder_norm = nn.LayerNorm(d_model)
        self.decoder = nn.ModuleList(DecoderBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers))
        self.decoder_norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Logits for the token after each target position.

        Args:
            source: `(B, S)` int64, S ≤ max_len.
            target: `(B, T)` int64, T ≤ max_len: the decoder's input, shifted by the caller (it begins with the start
                token).

        Returns:
            `(B, T, V)`; entry t depends on the whole source and on `target[:, : t + 1]`.
        """
        memory = self.token(source) + self.source_position.weight[: source.shape[1]]  # (B, S, C)
        for block in self.encoder:
            memory = block(memory)  # (B, S, C)
        memory = self.encoder_norm(memory)  # (B, S, C)
        x = self.token(target) + self.target_position.weight[: target.shape[1]]  # (B, T, C)
        mask = causal_mask(target.shape[1]).to(target.device)  # (T, T)
        for block in self.decoder:
            x = block(x, memory, self_mask=mask)  # (B, T, C)
        return self.head(self.decoder_norm(x))  # (B, T, V)
