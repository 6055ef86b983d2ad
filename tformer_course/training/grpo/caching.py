"""Sampling with a cache: the same scores as the model's own, for a small part of the work."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from tformer_course.models.families.tiny import TinyStack
from tformer_course.models.multi_head import merge_heads, split_heads


class Remembering:
    """`model(tokens)` for a loop that adds one token at a time: scores of the last position, `(B, 1, V)`.

    Keys and values of what was read before are kept, and equal prompts are read once. Made anew after each update,
    since the cache belongs to the weights of that moment.

    Args:
        model: A causal `TinyStack`.
    """

    def __init__(self, model: TinyStack) -> None:
        self.model, self.seen = model, torch.empty(0, 0)
        self.cache: list[tuple[Tensor, Tensor]] = []

    def __call__(self, tokens: Tensor) -> Tensor:
        start = self.seen.shape[1]
        goes_on = start > 0 and len(tokens) == len(self.seen) and tokens.shape[1] == start + 1
        if goes_on and torch.equal(tokens[:, :-1], self.seen):
            scores = self._read(tokens[:, -1:], start)
        else:
            distinct, which = torch.unique(tokens, dim=0, return_inverse=True)  # a group's prompts are equal
            self.cache = []
            scores = self._read(distinct, 0)[which]
            self.cache = [(keys[which], values[which]) for keys, values in self.cache]
        self.seen = tokens
        return scores

    def _read(self, new: Tensor, start: int) -> Tensor:
        x = self.model.token(new) + self.model.position.weight[start : start + new.shape[1]]  # (B, t, C)
        for i, block in enumerate(self.model.blocks):
            attn, h = block.attn, block.norm1(x)
            q, k, v = (split_heads(w(h), attn.num_heads) for w in (attn.w_q, attn.w_k, attn.w_v))  # (B, H, t, D)
            if start:
                k, v = torch.cat([self.cache[i][0], k], dim=2), torch.cat([self.cache[i][1], v], dim=2)
                self.cache[i] = (k, v)
            else:
                self.cache.append((k, v))
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=not start)
            x = x + attn.w_o(merge_heads(heads))
            x = x + block.ffn(block.norm2(x))
        return self.model.head(self.model.norm(x[:, -1:]))
