"""perplexity_by_length."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from ...models import positions as reference
from ..core.exercise import Case, Exercise, Mistake


def toy_model(table: Tensor) -> Callable[[Tensor], Tensor]:
    """A causal model whose logits depend on all tokens so far, so that each context length gives other numbers."""

    def model(tokens: Tensor) -> Tensor:
        seen = torch.nn.functional.one_hot(tokens, len(table)).to(table.dtype).cumsum(dim=1)  # (B, T, V)
        return 2 * torch.sin(seen @ table)

    return model


def measured(answer: Callable, table: Tensor, tokens: Tensor, lengths: Sequence[int], num_targets: int) -> list[float]:
    """Calls perplexity_by_length and gives the values in the order of the lengths."""
    found = answer(toy_model(table), tokens, list(lengths), num_targets)
    if sorted(int(n) for n in found) != sorted(lengths):
        raise ValueError(f"the keys are {sorted(found)}, not the lengths {sorted(lengths)}")
    return [float({int(n): p for n, p in found.items()}[n]) for n in lengths]


def _losses(logits: Tensor, targets: Tensor) -> Tensor:
    return -torch.log_softmax(logits, dim=-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)  # (B, targets)


def _per_length(rule: Callable[[Callable, Tensor, int, int], Tensor]) -> Callable[..., dict[int, float]]:
    """One rule for the losses `(B, targets)` of one length, then exp of their mean."""
    return lambda model, tokens, lengths, num_targets: {
        n: math.exp(rule(model, tokens, n, num_targets).mean().item()) for n in lengths
    }


def _right(model: Callable, tokens: Tensor, n: int, k: int) -> Tensor:
    return _losses(model(tokens[:, -n:])[:, -k - 1 : -1], tokens[:, -k:])


def _of_losses(rule: Callable[[Tensor], Tensor]) -> Callable[..., dict[int, float]]:
    """The right losses, with another way to make one number of them."""
    return lambda model, tokens, lengths, num_targets: {
        n: float(rule(_right(model, tokens, n, num_targets))) for n in lengths
    }


def _first_tokens(model: Callable, tokens: Tensor, n: int, k: int) -> Tensor:
    return _right(model, tokens[:, :n], n, k)


def _first_tokens_last_targets(model: Callable, tokens: Tensor, n: int, k: int) -> Tensor:
    return _losses(model(tokens[:, :n])[:, -k - 1 : -1], tokens[:, -k:])


def _whole_text(model: Callable, tokens: Tensor, n: int, k: int) -> Tensor:
    return _losses(model(tokens)[:, -k - 1 : -1], tokens[:, -k:])


PERPLEXITY_BY_LENGTH = Exercise(
    name="perplexity_by_length",
    points=2,
    reference=reference.perplexity_by_length,
    cases=(
        Case(
            "two lengths",
            lambda draw: [draw.normal(5, 5), draw.integers(0, 4, 4, 24), [8, 20], 5],
            call=measured,
        ),
        Case("one target", lambda draw: [draw.normal(6, 6), draw.integers(0, 5, 3, 9), [9, 2, 5], 1], call=measured),
        Case(
            "fresh sizes",
            lambda draw: [
                draw.normal(7, 7),
                draw.integers(0, 6, draw.integer(3, 6), 40),
                [12, 33],
                draw.integer(6, 10),
            ],
            call=measured,
        ),
    ),
    mistakes=(
        Mistake(
            "different_targets",
            "your targets change with the length, so you compare different texts. Which tokens must be scored always?",
            _per_length(_first_tokens),
        ),
        Mistake(
            "off_by_one",
            "you compare each token with the logits of its own position. Which position predicts the last token?",
            _per_length(lambda model, tokens, n, k: _losses(model(tokens[:, -n:])[:, -k:], tokens[:, -k:])),
        ),
        Mistake(
            "mean_of_token_perplexities",
            "you take exp of each token's loss before the mean. What comes first, the mean or exp?",
            _of_losses(lambda losses: losses.exp().mean()),
        ),
        Mistake(
            "mean_of_row_perplexities",
            "you average the perplexities of the rows. Over what must the mean go before the one exp?",
            _of_losses(lambda losses: losses.mean(dim=1).exp().mean()),
        ),
        Mistake(
            "no_exp",
            "you return the loss. What turns it into a perplexity?",
            _of_losses(lambda losses: losses.mean()),
        ),
        Mistake(
            "base_two",
            "you take 2 to the power of a loss that was computed with ln. Which base fits?",
            _of_losses(lambda losses: 2 ** losses.mean()),
        ),
        Mistake(
            "exp_of_sum",
            "you add the losses instead of averaging them. Should a perplexity grow with the number of targets?",
            _of_losses(lambda losses: losses.sum().exp()),
        ),
        Mistake(
            "all_positions",
            "you score every token that is shown. Then a longer text has other targets: which ones must be scored?",
            _per_length(lambda model, tokens, n, k: _losses(model(tokens[:, -n:])[:, :-1], tokens[:, -n + 1 :])),
        ),
        Mistake(
            "whole_text_shown",
            "your perplexity is the same for every length. What does the model get to see?",
            _per_length(_whole_text),
        ),
        Mistake(
            "context_without_targets",
            "you show num_targets tokens too many. Does a length include the targets?",
            _per_length(lambda model, tokens, n, k: _right(model, tokens, n + k, k)),
        ),
        Mistake(
            "first_tokens_for_the_last_targets",
            "your context is the beginning of the text, your targets are its end. Which tokens stand before them?",
            _per_length(_first_tokens_last_targets),
        ),
        Mistake(
            "first_row_only",
            "you score the first row alone. What is the mean taken over?",
            _of_losses(lambda losses: losses[0].mean().exp()),
        ),
        Mistake(
            "last_target_only",
            "you score the last token alone. How many targets are there?",
            _of_losses(lambda losses: losses[:, -1].mean().exp()),
        ),
        Mistake(
            "one_target_too_few",
            "you score one token too few. Which position predicts the first target?",
            _of_losses(lambda losses: losses[:, 1:].mean().exp()),
        ),
        Mistake(
            "sign",
            "your perplexity is below 1. Which sign has a loss?",
            _of_losses(lambda losses: (-losses.mean()).exp()),
        ),
    ),
)
