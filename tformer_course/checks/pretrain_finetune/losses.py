"""next_token_loss, perplexity and mlm_loss."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.pretrain_finetune import losses as reference
from ..core.exercise import Case, Exercise, Mistake


def _tokens(draw, batch: int, length: int, vocab: int, padded: int = 0) -> Tensor:
    """Random tokens; the rows end in 0, 1, 2 … times `padded` ignored ones."""
    tokens = draw.integers(0, vocab - 1, batch, length)
    for row in range(batch):
        if padded * row:
            tokens[row, -padded * row :] = -100
    return tokens


def _labels(draw, batch: int, length: int, vocab: int) -> Tensor:
    tokens = draw.integers(0, vocab - 1, batch, length)
    return tokens.masked_fill(~draw.mask(batch, length, keep=0.4), -100)


def _terms(logits: Tensor, labels: Tensor, ignore_index: int) -> tuple[Tensor, Tensor]:
    """Minus the log-probability of each label, 0 where none counts; and which count."""
    counts = labels != ignore_index
    picked = logits.log_softmax(-1).gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return (-picked) * counts, counts


def _variant(
    cut: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]],
    reduce: Callable[[Tensor, Tensor], Tensor] = lambda terms, counts: terms.sum() / counts.sum().clamp(min=1),
    change: Callable[[Tensor], Tensor] = lambda logits: logits,
    fixed: int | None = None,
) -> Callable:
    """A loss with another alignment, reduction or treatment of the scores."""

    def loss(logits, labels, ignore_index=-100):
        logits, labels = cut(change(logits), labels)
        return reduce(*_terms(logits, labels, ignore_index if fixed is None else fixed))

    return loss


def _shifted(logits, tokens):
    return logits[:, :-1], tokens[:, 1:]


def _aligned(logits, tokens):
    return logits, tokens


def _backwards(logits, tokens):
    return logits[:, 1:], tokens[:, :-1]


def _two_ahead(logits, tokens):
    return logits[:, :-2], tokens[:, 2:]


def _wrapped(logits, tokens):
    return logits, tokens.roll(-1, dims=1)


def _mean_over_all(terms, counts):
    return terms.sum() / max(counts.numel(), 1)


def _mean_of_rows(terms, counts):
    return (terms.sum(-1) / counts.sum(-1).clamp(min=1)).mean()


def _mean_of_used_rows(terms, counts):
    used = counts.any(-1)
    return ((terms.sum(-1) / counts.sum(-1).clamp(min=1)) * used).sum() / used.sum().clamp(min=1)


def _torch_mean(cut: Callable) -> Callable:
    """torch's own mean, which is 0/0 where nothing counts."""

    def loss(logits, labels, ignore_index=-100):
        logits, labels = cut(logits, labels)
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignore_index)

    return loss


def _padding_as_token(cut: Callable) -> Callable:
    """Padding is a target like any other: −100 is read as token 0."""

    def loss(logits, labels, ignore_index=-100):
        logits, labels = cut(logits, labels)
        return _terms(logits, labels.clamp(min=0), -100)[0].mean()

    return loss


def _without_normaliser(cut: Callable) -> Callable:
    def loss(logits, labels, ignore_index=-100):
        logits, labels = cut(logits, labels)
        counts = labels != ignore_index
        picked = logits.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return -(picked * counts).sum() / counts.sum().clamp(min=1)

    return loss


def _naive_softmax(cut: Callable) -> Callable:
    def loss(logits, labels, ignore_index=-100):
        logits, labels = cut(logits, labels)
        counts = labels != ignore_index
        p = logits.exp() / logits.exp().sum(-1, keepdim=True)
        picked = p.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
        return -torch.where(counts, picked.log(), 0.0).sum() / counts.sum().clamp(min=1)

    return loss


def _shared_mistakes(cut: Callable) -> tuple[Mistake, ...]:
    """What goes wrong in both losses in the same way."""
    return (
        Mistake(
            "sum",
            "you return the sum. By what is a mean per token divided?",
            _variant(cut, lambda terms, counts: terms.sum()),
        ),
        Mistake(
            "nan_for_nothing",
            "your loss is 0/0 = NaN where nothing counts. What should a mean over nothing be?",
            _torch_mean(cut),
        ),
        Mistake(
            "ignore_index_fixed",
            "you always ignore −100. Which argument says which value does not count?",
            _variant(cut, fixed=-100),
        ),
        Mistake(
            "mean_of_rows",
            "you average each row first, so a token of a short row weighs more. How many means are there in "
            "a mean over "
            "all that counts?",
            _variant(cut, _mean_of_rows),
        ),
        Mistake(
            "mean_of_used_rows",
            "you average each row first, so a token of a short row weighs more. How many means are there in "
            "a mean over "
            "all that counts?",
            _variant(cut, _mean_of_used_rows),
        ),
        Mistake(
            "sign",
            "your loss is negative: it is a log-likelihood. Which sign makes it something to minimise?",
            _variant(cut, lambda terms, counts: -terms.sum() / counts.sum().clamp(min=1)),
        ),
        Mistake(
            "base_2",
            "you count in bits. Which logarithm do nats use?",
            _variant(cut, lambda terms, counts: terms.sum() / counts.sum().clamp(min=1) / math.log(2)),
        ),
        Mistake(
            "softmax_twice",
            "you take the softmax of something that is a softmax already. What does cross_entropy expect?",
            _variant(cut, change=lambda logits: logits.softmax(-1)),
        ),
        Mistake(
            "log_probs_missing",
            "you read the scores themselves off at the labels. What makes log-probabilities of them?",
            _without_normaliser(cut),
        ),
        Mistake(
            "overflow",
            "exp overflows for large scores. Which function of torch gives the logarithm of a softmax safely?",
            _naive_softmax(cut),
        ),
    )


NEXT_TOKEN_LOSS = Exercise(
    name="next_token_loss",
    points=2,
    reference=reference.next_token_loss,
    helpers=(reference.mlm_loss,),
    cases=(
        Case("values", lambda draw: [draw.normal(3, 6, 5), _tokens(draw, 3, 6, 5)], grad=True),
        Case("padding", lambda draw: [draw.normal(3, 7, 5), _tokens(draw, 3, 7, 5, padded=2)], grad=True),
        Case(
            "another ignore_index",
            lambda draw: [draw.normal(3, 8, 5), draw.integers(0, 4, 3, 8)],
            lambda x, t: reference.next_token_loss(x, t, 3),
            call=lambda answer, x, t: answer(x, t, 3),
            grad=True,
        ),
        Case("a single token", lambda draw: [draw.normal(2, 1, 4), draw.integers(0, 3, 2, 1)], grad=True),
        Case("large scores", lambda draw: [draw.normal(2, 4, 5, scale=800.0), draw.integers(0, 4, 2, 4)], grad=True),
        Case(
            "float32",
            lambda draw: [draw.normal(2, 4, 5, dtype=torch.float32), draw.integers(0, 4, 2, 4)],
        ),
    ),
    mistakes=(
        Mistake(
            "no_shift",
            "you score each token by the logits of its own position, which have read it. Which position "
            "predicts token t?",
            _variant(_aligned),
        ),
        Mistake(
            "shifted_backwards",
            "you shift the wrong way: logits are compared with the token before. Which token does position t predict?",
            _variant(_backwards),
        ),
        Mistake(
            "two_ahead",
            "you shift twice. Does something in your code shift already?",
            _variant(_two_ahead),
        ),
        Mistake(
            "wrapped_around",
            "the last position is asked for the first token: roll goes round in a circle. Which position "
            "has no target?",
            _variant(_wrapped),
        ),
        Mistake(
            "mean_over_padding",
            "you divide by all positions, padding too. How many targets count?",
            _variant(_shifted, _mean_over_all),
        ),
        Mistake(
            "divided_by_length",
            "you divide by the number of tokens, but the first one is no target. How many targets are there?",
            lambda logits, tokens, ignore_index=-100: (
                _terms(logits[:, :-1], tokens[:, 1:], ignore_index)[0].sum()
                / (tokens != ignore_index).sum().clamp(min=1)
            ),
        ),
        *_shared_mistakes(_shifted),
        Mistake(
            "padding_as_token",
            "padding is a target in your loss. Which targets do not count?",
            _padding_as_token(_shifted),
        ),
    ),
)


MLM_LOSS = Exercise(
    name="mlm_loss",
    points=1.5,
    reference=reference.mlm_loss,
    helpers=(reference.next_token_loss,),
    cases=(
        Case("values", lambda draw: [draw.normal(3, 6, 5), _labels(draw, 3, 6, 5)], grad=True),
        Case(
            "nothing masked",
            lambda draw: [draw.normal(2, 4, 5), torch.full((2, 4), -100)],
            grad=True,
        ),
        Case(
            "another ignore_index",
            lambda draw: [draw.normal(3, 8, 5), draw.integers(0, 4, 3, 8)],
            lambda x, t: reference.mlm_loss(x, t, 3),
            call=lambda answer, x, t: answer(x, t, 3),
            grad=True,
        ),
        Case("large scores", lambda draw: [draw.normal(2, 4, 5, scale=800.0), _labels(draw, 2, 4, 5)], grad=True),
        Case("float32", lambda draw: [draw.normal(2, 4, 5, dtype=torch.float32), _labels(draw, 2, 4, 5)]),
    ),
    mistakes=(
        Mistake(
            "shifted",
            "you shift the labels, as for the next token. A masked model reads at t a mask: which token "
            "does it score there?",
            _variant(_shifted),
        ),
        Mistake(
            "all_positions",
            "you divide by all positions. At how many is something asked?",
            _variant(_aligned, _mean_over_all),
        ),
        *_shared_mistakes(_aligned),
        Mistake(
            "unmasked_as_token",
            "positions without a label are targets in your loss. Which label means that nothing is asked?",
            _padding_as_token(_aligned),
        ),
    ),
)
