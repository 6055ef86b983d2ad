"""The four models of RLHF in small: a policy, its reference, a reward model, and a value model."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from tformer_course.models.families.tiny import TinyStack

from .animals import ANSWER, END, LENGTH, PAD, PROMPTS, VOCAB, answer_mask


def new_policy(seed: int, d_model: int = 32, num_heads: int = 2, num_layers: int = 1) -> TinyStack:
    """Chapter 05's causal stack for this vocabulary, untrained."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return TinyStack(VOCAB, True, d_model, num_heads, num_layers, max_len=LENGTH)


def with_scalar_head(model: TinyStack, seed: int = 0) -> TinyStack:
    """A copy whose head gives one number per position, 0 at first: `model(tokens)[..., 0]` is `(B, T)`."""
    model = copy.deepcopy(model)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model.head = nn.Linear(model.head.in_features, 1)
        nn.init.zeros_(model.head.weight)
        nn.init.zeros_(model.head.bias)
    return model


def frozen_copy(model: nn.Module) -> nn.Module:
    """A copy that no longer learns: the reference."""
    return copy.deepcopy(model).requires_grad_(False).eval()


def prompts(count: int) -> Tensor:
    """`(count,)` animals in turn, each equally often."""
    return PROMPTS.repeat(-(-count // len(PROMPTS)))[:count]


@torch.no_grad()
def sample(model: nn.Module, starts: Tensor, generator: torch.Generator | None = None) -> Tensor:
    """Answers at temperature 1.

    Args:
        model: `(B, T)` → `(B, T, V)`.
        starts: `(B,)` prompts.
        generator: Of the draws; None takes the likeliest token.

    Returns:
        `(B, LENGTH)`: prompt, answer, end token, padding.
    """
    rows = torch.full((len(starts), LENGTH), PAD)
    rows[:, 0] = starts
    ended = torch.zeros(len(starts), dtype=torch.bool)
    for t in range(1, ANSWER + 1):
        p = model(rows[:, :t])[:, -1].softmax(-1)
        token = p.argmax(-1) if generator is None else torch.multinomial(p, 1, generator=generator)[:, 0]
        rows[:, t] = token.masked_fill(ended, PAD)
        ended |= token == END
        if ended.all():
            break
    return rows


def token_log_probs(model: nn.Module, rows: Tensor) -> Tensor:
    """log π of each token given those before it, `(B, T − 1)`, aligned with `rows[:, 1:]`."""
    log_p = model(rows)[:, :-1].log_softmax(-1)
    return log_p.gather(-1, rows[:, 1:].unsqueeze(-1)).squeeze(-1)


def lengths(rows: Tensor) -> Tensor:
    """Tokens of each answer, its end token included: `(B, T)` → `(B,)`."""
    return answer_mask(rows).sum(-1)
