"""Chapter 02, many heads and how to look at them: the reference implementations.

Dimension key, the same letters in every chapter:
    B batch, H heads, G key-value heads, T queries, S keys, C d_model, D d_head (= C / H), n positions.
"…" stands for any number of leading dimensions. A mask is boolean and True means "may attend", as in
torch.nn.functional.scaled_dot_product_attention; torch.nn.MultiheadAttention uses the opposite sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor, nn

from .attention import scaled_dot_product_attention


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """Cut each token's vector into one slice per head.

    Args:
        x: `(B, n, C)`.
        num_heads: H. Head i gets the entries i·D … (i+1)·D − 1 of every token, with D = C / H.

    Returns:
        `(B, H, n, D)`.

    Raises:
        ValueError: Where H does not divide C.

    >>> split_heads(torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]]), 2).tolist()
    [[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]
    """
    if num_heads < 1 or x.shape[-1] % num_heads:
        raise ValueError(f"a width of {x.shape[-1]} cannot be split into {num_heads} equal heads")
    # The last axis is cut first and moved after that: a single view to (B, H, n, D) would mix tokens.
    return x.unflatten(-1, (num_heads, -1)).transpose(-3, -2)  # (B, n, H, D) → (B, H, n, D)


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads side by side again: the inverse of `split_heads`.

    Args:
        x: `(B, H, n, D)`.

    Returns:
        `(B, n, H·D)`; head i fills the entries i·D … (i+1)·D − 1.

    >>> merge_heads(torch.tensor([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]])).tolist()
    [[[1, 2, 3, 4], [5, 6, 7, 8]]]
    """
    return x.transpose(-3, -2).flatten(-2)  # (B, n, H, D) → (B, n, H·D)


class MultiHeadAttention(nn.Module):
    """H attentions side by side, each on its own slice of one projection, then one linear map over all of them.

    Args:
        d_model: Width C of input and output.
        num_heads: H; each head is D = C / H wide.
        bias: Whether the four linear layers `w_q`, `w_k`, `w_v`, `w_o` have a bias.

    Raises:
        ValueError: Where H does not divide C.

    Source:
        Vaswani et al. 2017 (arXiv 1706.03762), section 3.2.2.
    """

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if num_heads < 1 or d_model % num_heads:
            raise ValueError(f"d_model {d_model} cannot be split into {num_heads} equal heads")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(
        self, x: Tensor, context: Tensor | None = None, mask: Tensor | None = None, return_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Attend from every position of x.

        Args:
            x: `(B, T, C)`, the queries come from here.
            context: `(B, S, C)`, keys and values come from here; None takes x (self-attention, S = T).
            mask: Bool, True = may attend; broadcasts against the weights `(B, H, T, S)`. A mask `(B, T, S)` needs a
                head axis first: `mask.unsqueeze(1)`.
            return_weights: Whether the weights are wanted too.

        Returns:
            Output `(B, T, C)`, or with `return_weights` the pair of output and weights `(B, H, T, S)`.
        """
        context = x if context is None else context
        q = split_heads(self.w_q(x), self.num_heads)  # (B, H, T, D)
        k = split_heads(self.w_k(context), self.num_heads)  # (B, H, S, D)
        v = split_heads(self.w_v(context), self.num_heads)  # (B, H, S, D)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)  # (B, H, T, D), (B, H, T, S)
        output = self.w_o(merge_heads(heads))  # (B, T, C)
        return (output, weights) if return_weights else output


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """Attention with fewer key-value heads than query heads: neighbouring query heads share one.

    Args:
        q: `(B, H, T, D)`.
        k: `(B, G, S, D)`. Query heads 0 … H/G − 1 use key-value head 0, the next H/G use head 1, and so on.
        v: `(B, G, S, D)`.
        mask: Bool, True = may attend; broadcasts against `(B, H, T, S)`.

    Returns:
        `(B, H, T, D)`. G = H is multi-head attention, G = 1 multi-query attention.

    Raises:
        ValueError: Where G does not divide H.

    Source:
        Ainslie et al. 2023 (arXiv 2305.13245); for G = 1 Shazeer 2019 (arXiv 1911.02150).
    """
    if q.shape[-3] % k.shape[-3]:
        raise ValueError(f"{q.shape[-3]} query heads cannot share {k.shape[-3]} key-value heads evenly")
    group = q.shape[-3] // k.shape[-3]
    # Clear rather than lean: this copies keys and values, a kernel reads the small ones again instead.
    k = k.repeat_interleave(group, dim=-3)  # (B, H, S, D)
    v = v.repeat_interleave(group, dim=-3)  # (B, H, S, D)
    return scaled_dot_product_attention(q, k, v, mask)[0]


def mha_cost(d_model: int, num_heads: int, n: int) -> dict[str, int]:
    """What one multi-head self-attention layer costs for one sample. A multiply–add counts as 2 FLOPs.

    Args:
        d_model, num_heads, n: C, H and the number of positions.

    Returns:
        `parameters` (four C×C matrices and their biases), `flops` (four projections, q kᵀ and weights·v; no biases, no
        softmax), `attention_entries` (weights of one sample over all heads).

    Raises:
        ValueError: Where H does not divide C.

    >>> mha_cost(512, 8, 128)
    {'parameters': 1050624, 'flops': 301989888, 'attention_entries': 131072}
    """
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"d_model {d_model} cannot be split into {num_heads} equal heads")
    parameters = 4 * (d_model**2 + d_model)
    flops = 4 * 2 * n * d_model**2 + 2 * 2 * n**2 * d_model  # per product H · 2·n²·(C/H): H cancels
    return {"parameters": parameters, "flops": flops, "attention_entries": num_heads * n**2}


def capture_attention(model: nn.Module, inputs: Mapping[str, Tensor]) -> list[Tensor]:
    """Run a transformers model once and collect the attention weights of every layer by forward hooks.

    Args:
        model: A transformers model loaded with `attn_implementation="eager"`.
        inputs: The tokenizer's dict, passed on as keyword arguments.

    Returns:
        One detached `(B, H, T, S)` tensor per layer, first layer first. The model keeps its mode; no hook of ours stays
        behind, also where the forward pass raises, and its exception goes on to the caller.

    Raises:
        ValueError: Where no attention module is found, or one gives no weights (sdpa and flash never form them).
    """
    found = [m for m in model.modules() if type(m).__name__.endswith("Attention")]
    # In BERT the module BertAttention passes on what the BertSelfAttention inside it returns: take the inner one only.
    innermost = [m for m in found if not any(inner in found for inner in m.modules() if inner is not m)]
    if not innermost:
        raise ValueError(f"0 modules of {type(model).__name__} have a class name that ends in Attention")
    captured: list[Tensor | None] = []

    def keep_weights(module: nn.Module, args: tuple, output: tuple) -> None:
        captured.append(None if output[1] is None else output[1].detach())  # output[0] is the context, not the weights

    handles = [module.register_forward_hook(keep_weights) for module in innermost]
    try:
        with torch.no_grad():
            model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
    missing = sum(weights is None for weights in captured)
    if missing:
        raise ValueError(f"{missing} of {len(captured)} layers gave no weights: load with attn_implementation='eager'")
    return captured


def average_heads(weights: Tensor) -> Tensor:
    """Mean of the attention maps over the heads.

    Args:
        weights: `(…, H, T, S)`.

    Returns:
        `(…, T, S)`. Rows that sum to one still do: no softmax is needed, or allowed.

    >>> average_heads(torch.tensor([[[1.0, 0.0]], [[0.5, 0.5]]]))
    tensor([[0.7500, 0.2500]])
    """
    return weights.mean(dim=-3)


def attention_entropy(weights: Tensor, mask: Tensor | None = None) -> Tensor:
    """How evenly each row spreads its attention: 0 on one key, 1 on all keys alike.

    Args:
        weights: `(…, T, S)`; rows sum to one, or to zero where they may attend to nothing.
        mask: Bool, True = may attend; broadcasts against the weights. None counts every key.

    Returns:
        `(…, T)`, −Σ w log w divided by the log of the number of keys that the row may attend to; 0 where that number is
        0 or 1. The gradient is finite at zero weights.

    >>> attention_entropy(torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]]))
    tensor([0.0000, 0.5000, 1.0000])
    """
    # 0·log 0 means 0. The 1 goes inside the log, so that neither the value nor the gradient meets log 0.
    logs = torch.where(weights > 0, weights, 1.0).log()  # (…, T, S)
    entropy = 0.0 - (weights * logs).sum(dim=-1)  # (…, T); a bare minus would show −0 for one key
    if mask is None:
        keys = torch.full_like(entropy, weights.shape[-1])  # (…, T)
    else:
        keys = mask.expand_as(weights).sum(dim=-1).to(entropy.dtype)  # (…, T)
    most = keys.clamp(min=2).log()  # log 1 = 0 would divide by zero
    return torch.where(keys > 1, entropy / most, 0.0)


def effective_rank(matrix: Tensor) -> float:
    """How many directions a matrix really uses: exp of the entropy of its singular values.

    Args:
        matrix: `(m, n)`, not all zero.

    Returns:
        A number from 1 (one direction) to min(m, n) (all directions alike), not only whole ones.

    Raises:
        ValueError: For a matrix that is all zeros, or not a matrix.

    Source:
        Roy and Vetterli 2007, "The effective rank: a measure of effective dimensionality".

    >>> round(effective_rank(torch.diag(torch.tensor([3.0, 3.0, 0.0]))), 6)
    2.0
    """
    if matrix.ndim != 2 or not bool(matrix.any()):
        raise ValueError(f"a matrix with 2 axes that is not all 0 is needed, not shape {tuple(matrix.shape)}")
    singular = torch.linalg.svdvals(matrix)  # (min(m, n),)
    p = singular / singular.sum()
    return math.exp(torch.special.entr(p).sum().item())  # entr(p) = −p log p, with 0 at p = 0


def saturation(weights: Tensor, threshold: float = 0.95) -> float:
    """Share of the rows in which one key takes more than `threshold`.

    Args:
        weights: `(…, T, S)`.
        threshold: A weight between 0 and 1; equal to it is not over it.

    Returns:
        Rows over the threshold divided by all rows, rows that attend to nothing included.

    >>> saturation(torch.tensor([[0.96, 0.04], [0.5, 0.5]]))
    0.5
    """
    return (weights.amax(dim=-1) > threshold).double().mean().item()


def head_importance(loss_fn: Callable[[Tensor], Tensor], num_heads: int) -> Tensor:
    """How much the loss rises when one head is switched off, for each head in turn.

    Args:
        loss_fn: Maps a float vector `(H,)` of ones (head on) and zeros (head off) to the loss.
        num_heads: H.

    Returns:
        `(H,)`, detached: loss without that head − loss with all heads. Negative where the model is better without it.

    Source:
        Michel, Levy, Neubig 2019 (arXiv 1905.10650), section 3.2.

    >>> head_importance(lambda on: 3.0 - on[0] - 2 * on[1], 2)
    tensor([1., 2.])
    """

    def loss_with(on: Tensor) -> Tensor:
        return torch.as_tensor(loss_fn(on)).detach().double()  # double: the difference of two close numbers

    whole = loss_with(torch.ones(num_heads))
    rises = []
    for head in range(num_heads):
        on = torch.ones(num_heads)  # a fresh one each time: loss_fn may keep or change what it gets
        on[head] = 0.0
        rises.append(loss_with(on) - whole)
    return torch.stack(rises).to(torch.get_default_dtype())  # (H,)
