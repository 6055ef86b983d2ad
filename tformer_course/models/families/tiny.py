"""Small models of each family, made from the blocks of chapter 04."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from ..attention import causal_mask
from ..block import Seq2Seq, TransformerBlock
from .pictures import patchify

KINDS = ("bert", "gpt", "t5")


class TinyStack(nn.Module):
    """BERT or GPT in small: the same parameters, and the mask is all that differs.

    Args:
        vocab_size: V.
        causal: Whether a position is blind for what follows it (GPT), or sees all (BERT).
        d_model, num_heads, num_layers: C, H and the number of blocks, whose d_ff is 4C.
        max_len: Longest text.
    """

    def __init__(
        self,
        vocab_size: int,
        causal: bool,
        d_model: int = 64,
        num_heads: int = 4,
        num_layers: int = 2,
        max_len: int = 48,
    ) -> None:
        super().__init__()
        self.causal = causal
        self.token = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(max_len, d_model)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, num_heads, 4 * d_model) for _ in range(num_layers))
        self.norm, self.head = nn.LayerNorm(d_model), nn.Linear(d_model, vocab_size)
        for embedding in (self.token, self.position):
            nn.init.normal_(embedding.weight, std=0.1)

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """Logits `(B, T, V)` of tokens `(B, T)`; another mask `(T, T)` makes another family (prefix)."""
        length = tokens.shape[1]
        if mask is None and self.causal:
            mask = causal_mask(length).to(tokens.device)
        x = self.token(tokens) + self.position.weight[:length]  # (B, T, C)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.norm(x))


def tiny_model(kind: str, vocab_size: int, max_len: int = 48) -> nn.Module:
    """An untrained model: "bert" and "gpt" map tokens to logits, "t5" a source and a shifted target.

    Raises:
        ValueError: For another kind.
    """
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}; known are {', '.join(KINDS)}")
    if kind == "t5":
        model = Seq2Seq(vocab_size, 64, 4, 2, max_len)
        for embedding in (model.token, model.source_position, model.target_position):
            nn.init.normal_(embedding.weight, std=0.1)
        return model
    return TinyStack(vocab_size, causal=kind == "gpt", max_len=max_len)


class TinyCLIP(nn.Module):
    """Two towers that never attend to each other: they meet in the loss alone.

    Args:
        vocab_size: V of the captions.
        num_patches: Patches per picture.
        patch: Side of a patch.
        caption_length: Words per caption.
        d_model: C, of both towers and of the common space.

    Source:
        Radford et al. 2021 (arXiv 2103.00020), section 2.3.
    """

    def __init__(self, vocab_size: int, num_patches: int, patch: int, caption_length: int, d_model: int = 32) -> None:
        super().__init__()
        self.patch = patch
        self.patch_in = nn.Linear(3 * patch * patch, d_model)
        self.word_in = nn.Embedding(vocab_size, d_model)
        self.patch_position = nn.Parameter(0.1 * torch.randn(num_patches, d_model))
        self.word_position = nn.Parameter(0.1 * torch.randn(caption_length, d_model))
        self.image_block = TransformerBlock(d_model, 4, 4 * d_model)
        self.text_block = TransformerBlock(d_model, 4, 4 * d_model)
        self.image_out = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, d_model, bias=False))
        self.text_out = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, d_model, bias=False))
        self.log_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))  # as in the paper: learned as a logarithm

    def image_features(self, images: Tensor) -> Tensor:
        """`(B, 3, H, W)` → `(B, C)`."""
        x = self.patch_in(patchify(images, self.patch)) + self.patch_position  # (B, n, C)
        return self.image_out(self.image_block(x).mean(dim=1))

    def text_features(self, captions: Tensor) -> Tensor:
        """`(B, T)` → `(B, C)`."""
        x = self.word_in(captions) + self.word_position  # (B, T, C)
        return self.text_out(self.text_block(x).mean(dim=1))

    def logit_scale(self) -> Tensor:
        """What multiplies the cosines, a scalar; at most 100, as in the paper."""
        return self.log_scale.exp().clamp(max=100.0)
