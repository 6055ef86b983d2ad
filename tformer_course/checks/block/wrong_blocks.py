"""Blocks with something wrong in them, made by switches."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from ...models.attention import causal_mask
from ...models.block import drop_path
from ...models.multi_head import MultiHeadAttention


def _ffn(d_model: int, d_ff: int, act: str = "gelu") -> nn.Sequential:
    middle = {"gelu": nn.GELU(), "relu": nn.ReLU(), "tanh": nn.GELU(approximate="tanh")}[act]
    return nn.Sequential(nn.Linear(d_model, d_ff), middle, nn.Linear(d_ff, d_model))


def block(
    flow: str = "right",
    shared_norm: bool = False,
    act: str = "gelu",
    mask: str = "right",
    check: bool = True,
    drop: str = "right",
) -> type[nn.Module]:
    """A TransformerBlock; each argument says what is wrong in one respect."""
    how = {"flow": flow, "mask": mask, "drop": drop}

    class TransformerBlock(nn.Module):
        def __init__(self, d_model, num_heads, d_ff, norm="pre", drop_path=0.0):
            super().__init__()
            if check and norm not in ("pre", "post"):
                raise ValueError(f"norm is {norm!r}")
            self.pre = norm == "pre"
            self.p = drop_path
            self.norm1 = nn.LayerNorm(d_model)
            self.attn = MultiHeadAttention(d_model, num_heads)
            self.norm2 = nn.LayerNorm(d_model)
            self.ffn = _ffn(d_model, d_ff, act)

        def forward(self, x, mask=None):
            if how["mask"] == "dropped":
                mask = None
            elif how["mask"] == "inverted" and mask is not None:
                mask = ~mask
            n1, n2 = self.norm1, self.norm1 if shared_norm else self.norm2
            state = torch.random.get_rng_state()

            def attn(h):
                out = self.attn(h, mask=mask)
                return self._drop(out[0] if flow == "first_sample" else out)

            def ffn(h):
                if how["drop"] == "shared":
                    torch.random.set_rng_state(state)
                out = self.ffn(h)
                return out if how["drop"] == "first" else self._drop(out)

            return _flow(how["flow"], self.pre, x, attn, ffn, n1, n2, self._drop_stream)

        def _drop(self, branch):
            kind = how["drop"]
            if kind in ("never", "stream") or kind == "never_post" and not self.pre:
                return branch
            if kind == "element":
                return F.dropout(branch, self.p, self.training)
            dropped = drop_path(branch, self.p, True if kind == "always" else self.training)
            return dropped * (1 - self.p) if kind == "unscaled" and self.training else dropped

        def _drop_stream(self, x):
            return drop_path(x, self.p, self.training) if how["drop"] == "stream" else x

    return TransformerBlock


def _flow(flow, pre, x, attn, ffn, n1, n2, whole):
    if flow == "swapped":
        pre = not pre
    if flow == "always_pre":
        pre = True
    if flow == "parallel":
        return x + attn(n1(x)) + ffn(n2(x)) if pre else n2(n1(x + attn(x) + ffn(x)))
    if flow == "ffn_first":
        if pre:
            x = x + ffn(n2(x))
            return x + attn(n1(x))
        x = n2(x + ffn(x))
        return n1(x + attn(x))
    if not pre:
        if flow == "norm_on_the_branch":
            x = x + n1(attn(x))
            return x + n2(ffn(x))
        if flow == "no_residual":
            return n2(ffn(n1(attn(x))))
        y = n1(whole(x + attn(x)))
        if flow == "second_residual_missing":
            return n2(ffn(y))
        z = (x if flow == "residual_from_the_start" else y) + ffn(y)
        return z if flow == "second_norm_missing" else n2(whole(z))
    if flow == "residual_after_norm":
        x = n1(x)
        x = x + attn(x)
        x = n2(x)
        return x + ffn(x)
    if flow == "no_residual":
        return ffn(n2(attn(n1(x))))
    y = whole(x + attn(n1(x)))
    inside = y if flow == "second_norm_missing" else n2(y)
    if flow == "second_residual_missing":
        return ffn(inside)
    return whole((x if flow == "residual_from_the_start" else y) + ffn(inside))


def decoder(cross: str = "right", masks: str = "right", order: str = "right") -> type[nn.Module]:
    """A DecoderBlock; each argument says what is wrong in one respect."""

    class DecoderBlock(nn.Module):
        def __init__(self, d_model, num_heads, d_ff):
            super().__init__()
            self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
            self.self_attn = MultiHeadAttention(d_model, num_heads)
            self.cross_attn = MultiHeadAttention(d_model, num_heads)
            self.ffn = _ffn(d_model, d_ff)

        def forward(self, x, memory, self_mask=None, memory_mask=None):
            if masks == "swapped":
                self_mask, memory_mask = memory_mask, self_mask
            elif masks == "own_causal":
                own = causal_mask(x.shape[1])
                self_mask = own if self_mask is None else own & self_mask
            elif masks == "no_self":
                self_mask = None
            elif masks == "no_memory":
                memory_mask = None
            elif masks == "inverted":
                self_mask, memory_mask = (m if m is None else ~m for m in (self_mask, memory_mask))
            elif masks == "memory_inverted":
                memory_mask = memory_mask if memory_mask is None else ~memory_mask
            elif masks == "self_for_both":
                memory_mask = self_mask if memory_mask is None else memory_mask & self_mask
            n1, n2, n3 = self.norm1, self.norm2, self.norm3
            if order == "norms_swapped":
                n2, n3 = n3, n2

            def own_branch(h):
                out = self.self_attn(h, context=memory if cross == "in_both" else None, mask=self_mask)
                return out[0] if cross == "first_sample" else out

            def cross_branch(h):
                if cross == "no_memory":
                    return self.cross_attn(h, mask=memory_mask)
                if cross == "memory_as_query":
                    return self.cross_attn(memory, context=h, mask=memory_mask)
                other = n2(memory) if "memory_normalised" in cross else memory
                out = self.cross_attn(h, context=other, mask=memory_mask)
                return out[0] if cross == "first_sample" else out

            if order == "post":
                x = n1(x + own_branch(x))
                x = n2(x + cross_branch(x))
                return n3(x + self.ffn(x))
            if order == "cross_first":
                x = x + cross_branch(n2(x))
                x = x + own_branch(n1(x))
                return x + self.ffn(n3(x))
            if order == "cross_first_norms_in_order":
                x = x + cross_branch(n1(x))
                x = x + own_branch(n2(x))
                return x + self.ffn(n3(x))
            if order == "residual_after_norm":
                x = n1(x)
                x = n2(x + own_branch(x))
                x = n3(x + cross_branch(x))
                return x + self.ffn(x)
            if order == "parallel":
                x = x + own_branch(n1(x)) + cross_branch(n2(x))
                return x + self.ffn(n3(x))
            x = x + own_branch(n1(x))
            if order == "ffn_before_cross":
                x = x + self.ffn(n3(x))
                return x + cross_branch(n2(x))
            branch = cross_branch(x if cross == "only_memory_normalised" else n2(x))
            x = branch if order == "cross_residual_missing" else x + branch
            return self.ffn(n3(x)) if order == "ffn_residual_missing" else x + self.ffn(n3(x))

    return DecoderBlock


class _Encoder(nn.Module):
    """One pre-norm layer without masks."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = _ffn(d_model, 4 * d_model)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.ffn(self.norm2(x))


def seq2seq(
    mask: str = "right", shift: bool = False, positions: bool = True, source: str = "right", target: str = "right"
) -> type[nn.Module]:
    """An encoder–decoder; each argument says what is wrong in one respect."""
    how = {"source": source, "target": target}
    right_decoder = decoder()

    class Seq2Seq(nn.Module):
        def __init__(self, vocab_size, d_model, num_heads, num_layers, max_len):
            super().__init__()
            self.token = nn.Embedding(vocab_size, d_model)
            self.position = nn.Parameter(torch.randn(max_len, d_model))
            self.encoder = nn.ModuleList(_Encoder(d_model, num_heads) for _ in range(num_layers))
            self.decoder = nn.ModuleList(right_decoder(d_model, num_heads, 4 * d_model) for _ in range(num_layers))
            self.norm, self.final = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
            self.head = nn.Linear(d_model, vocab_size)

        def forward(self, source, target):
            n = target.shape[1]
            memory, x = self.token(source), self.token(target)
            if shift:
                x = torch.cat([torch.zeros_like(x[:, :1]), x[:, :-1]], dim=1)
            if how["target"] == "positions_only":
                x = torch.zeros_like(x)
            if positions:
                memory, x = memory + self.position[: source.shape[1]], x + self.position[:n]
            for layer in self.encoder:
                memory = layer(memory)
            memory = self.norm(memory)
            causal = causal_mask(n)
            own = {"right": causal, "none": None, "ahead": torch.ones(n, n).tril(1).bool(), "inverted": ~causal}[mask]
            if how["source"] == "none":
                memory = torch.zeros_like(memory)
            for layer in self.decoder:
                x = layer(x, memory, self_mask=own)
            x = self.final(x)
            if how["target"] == "no_head":
                return x
            logits = self.head(x)
            if how["target"] == "softmax":
                return logits.softmax(dim=-1)
            return logits[:, -1] if how["target"] == "last" else logits

    return Seq2Seq
