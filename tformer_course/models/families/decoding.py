"""From logits to text: how the next token is chosen, and how the past is not computed again."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor


def sample_next(
    logits: Tensor,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Draw the next token of each row.

    Args:
        logits: `(B, V)`.
        temperature: Logits are divided by it first; 0 takes the likeliest token.
        top_k: Only the k likeliest tokens stay; more than V keeps all.
        top_p: Of what is left, the likeliest tokens stay until their probabilities, renormalised, reach top_p. The
            token that crosses top_p stays.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        `(B,)` int64.

    Raises:
        ValueError: For a negative temperature, top_k below 1, or top_p outside 0 … 1.

    Source:
        Fan et al. 2018 (arXiv 1805.04833) for top-k; Holtzman et al. 2020 (arXiv 1904.09751) for top-p.

    >>> sample_next(torch.tensor([[1.0, 3.0, 2.0]]), temperature=0)
    tensor([1])
    """
    if temperature < 0:
        raise ValueError(f"temperature is {temperature}; 0 or more is needed")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k is {top_k}; at least 1 token must stay")
    if top_p is not None and not 0 <= top_p <= 1:
        raise ValueError(f"top_p is {top_p}; a probability lies in 0 … 1")
    if temperature == 0:
        return logits.argmax(dim=-1)
    ranked, order = (logits / temperature).sort(dim=-1, descending=True)  # (B, V): the likeliest first
    if top_k is not None:
        ranked[..., top_k:] = -math.inf
    if top_p is not None:
        probabilities = ranked.softmax(dim=-1)
        before = probabilities.cumsum(dim=-1) - probabilities  # what the likelier tokens hold together
        out = before >= top_p
        out[..., 0] = False
        ranked = ranked.masked_fill(out, -math.inf)
    drawn = torch.multinomial(ranked.softmax(dim=-1), 1, generator=generator)  # (B, 1), a rank
    return order.gather(-1, drawn).squeeze(-1)


def generate_cached(step: Callable[[Tensor, Any], tuple[Tensor, Any]], prompt: Tensor, max_new_tokens: int) -> Tensor:
    """Greedy decoding in which every token is read once.

    Args:
        step: `step(tokens, cache) -> (logits (B, t, V), cache)` reads t more tokens `(B, t)`; the cache is None at
            first and then what the last call returned.
        prompt: `(B, T)` int64, T ≥ 1.
        max_new_tokens: How many tokens to write; 0 gives the prompt back.

    Returns:
        `(B, T + max_new_tokens)`: the prompt and what was written.
    """
    tokens, unread, cache = prompt, prompt, None
    for _ in range(max_new_tokens):
        logits, cache = step(unread, cache)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)  # (B, 1)
        tokens = torch.cat((tokens, unread), dim=1)
    return tokens


def generate_uncached(model: Callable[[Tensor], Tensor], prompt: Tensor, max_new_tokens: int) -> Tensor:
    """The same by reading everything again for each token; `model(tokens) -> logits (B, T, V)`."""
    tokens = prompt
    for _ in range(max_new_tokens):
        tokens = torch.cat((tokens, model(tokens)[:, -1].argmax(dim=-1, keepdim=True)), dim=1)
    return tokens


def cache_bytes_per_token(num_layers: int, num_kv_heads: int, d_head: int, bytes_per_number: int = 2) -> int:
    """What one more token adds to the cache of one sequence: a key and a value per layer and key-value head.

    >>> cache_bytes_per_token(32, 32, 128) * 8192 // 2**20, cache_bytes_per_token(32, 8, 128) * 8192 // 2**20
    (4096, 1024)
    """
    return 2 * num_layers * num_kv_heads * d_head * bytes_per_number
