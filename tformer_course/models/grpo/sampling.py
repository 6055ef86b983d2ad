"""Groups of completions for the same prompt."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor


def sample_group(
    model: Callable[[Tensor], Tensor],
    prompts: Tensor,
    group_size: int,
    max_new_tokens: int,
    temperature: float,
    eos_id: int,
    generator: torch.Generator | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draw G completions for each prompt.

    Args:
        model: `model(tokens) -> logits`, `(B, T)` → `(B, T, V)`.
        prompts: `(P, Tp)` int64.
        group_size: G.
        max_new_tokens: The budget T.
        temperature: Divides the logits; above 0.
        eos_id: Ends a completion; one in the prompt does not.
        generator: Of the draws.

    Returns:
        `tokens (P, G, Tp + T)`, eos after the first eos; `mask (P, G, T)`, True up to and with the first eos;
        `log_probs (P, G, T)` at the sampling temperature, 0 where mask is False.
    """
    count, start = prompts.shape
    tokens = prompts.repeat_interleave(group_size, dim=0)  # (P · G, Tp): a prompt's copies stand together
    running = torch.ones(len(tokens), dtype=torch.bool, device=prompts.device)
    masks, log_probs = [], []
    for _ in range(max_new_tokens):
        with torch.no_grad():
            logits = model(tokens)[:, -1]  # (P · G, V)
        log_p = (logits / temperature).log_softmax(dim=-1)  # (P · G, V)
        drawn = torch.multinomial(log_p.exp(), 1, generator=generator)  # (P · G, 1)
        drawn = drawn.masked_fill(~running.unsqueeze(-1), eos_id)
        masks.append(running)
        log_probs.append(log_p.gather(-1, drawn).squeeze(-1).masked_fill(~running, 0.0))
        tokens = torch.cat([tokens, drawn], dim=1)
        running = running & (drawn.squeeze(-1) != eos_id)
    shape = (count, group_size, max_new_tokens)
    return (
        tokens.view(count, group_size, start + max_new_tokens),
        torch.stack(masks, dim=-1).view(shape),
        torch.stack(log_probs, dim=-1).view(shape),
    )
