"""Training by rewards alone: sample groups, score them, step; nobody shows the model a right answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import torch
from torch import Tensor, nn

from .objective import group_advantages, grpo_loss
from .sampling import sample_group


class GrpoBatch(NamedTuple):
    """What one step needs.

    Args:
        prompts: `(P, Tp)` int64.
        reward: `reward(completions) -> rewards`, `(P, G, T)` → `(P, G)`.
        max_new_tokens: The budget T.
        eos_id: Ends a completion.
    """

    prompts: Tensor
    reward: Callable[[Tensor], Tensor]
    max_new_tokens: int
    eos_id: int


def completion_log_probs(
    model: Callable[[Tensor], Tensor], tokens: Tensor, max_new_tokens: int, temperature: float = 1.0
) -> Tensor:
    """Log-probabilities `(N, T)` of the last T tokens of each row `(N, Tp + T)`, at a temperature."""
    logits = model(tokens[:, :-1])[:, -max_new_tokens:] / temperature  # each scores the token after it
    return logits.log_softmax(dim=-1).gather(-1, tokens[:, -max_new_tokens:].unsqueeze(-1)).squeeze(-1)


def train_grpo(
    model: nn.Module,
    reference: Callable[[Tensor], Tensor],
    make_batch: Callable[[torch.Generator | None], GrpoBatch],
    steps: int,
    group_size: int,
    lr: float,
    generator: torch.Generator | None = None,
    *,
    beta: float = 0.04,
    aggregate: str = "sequence",
    normalize_std: bool = True,
    sampler: Callable[[nn.Module], Callable[[Tensor], Tensor]] = lambda model: model,
    look: Callable[[int], None] | None = None,
    progress: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> list[float]:
    """Lift a model by rewards alone; it is changed in place, the reference is not.

    Args:
        model: The policy.
        reference: The model that it shall not leave far, usually a frozen copy of it at the start.
        make_batch: `make_batch(generator)` gives prompts, their reward, the budget and the end token.
        steps: Updates; each samples anew, so every one is on-policy.
        group_size: G.
        lr: Of AdamW, without weight decay.
        generator: Of the batches and of the draws.
        beta, aggregate, normalize_std: As in `grpo_loss` and `group_advantages`.
        sampler: `sampler(model)` is what samples are drawn from in a step: the same scores, for example with a cache.
        look: Called with the number of steps done, after each step.
        progress: Wraps the steps, for example tqdm.

    Returns:
        The mean reward of the samples of each step, before its update.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.0)
    history = []
    for step in progress(range(1, steps + 1)):
        prompts, reward, budget, eos_id = make_batch(generator)
        tokens, mask, log_old = sample_group(sampler(model), prompts, group_size, budget, 1.0, eos_id, generator)
        rewards = reward(tokens[..., -budget:])  # (P, G)
        history.append(rewards.mean().item())
        advantages = group_advantages(rewards, normalize_std=normalize_std).flatten()  # (N,)
        rows, mask, log_old = tokens.flatten(0, 1), mask.flatten(0, 1), log_old.flatten(0, 1)
        with torch.no_grad():
            log_ref = completion_log_probs(reference, rows, budget) if beta else log_old
        log_p = completion_log_probs(model, rows, budget)  # the same numbers as log_old, with a graph
        loss = grpo_loss(log_p, log_old, log_ref, advantages, mask, beta=beta, aggregate=aggregate)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if look:
            look(step)
    return history
