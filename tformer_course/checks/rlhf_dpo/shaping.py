"""shaped_rewards."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.rlhf_dpo import policy as reference
from ..core.exercise import Case, Exercise, Mistake
from .masks import ends, spans


def _last(mask: Tensor) -> Tensor:
    """`(B, T)`: 1 at the last real token of each row."""
    return mask & (mask.flip(-1).int().cumsum(-1).flip(-1) == 1)


def _price(log_p, log_ref, beta, mask):
    return (-beta * (log_p - log_ref)) * mask


def _score_where(where: Callable[[Tensor], Tensor], price: Callable = _price) -> Callable:
    """The score at places that the mask gives, and a price per token."""

    def shaped_rewards(score, log_p, log_ref, beta, mask):
        return price(log_p, log_ref, beta, mask) + score.unsqueeze(-1) * where(mask)

    return shaped_rewards


def _at(mask: Tensor, index: Tensor) -> Tensor:
    return torch.zeros_like(mask).scatter(-1, index.unsqueeze(-1), True)


def _inputs(draw, rows=4, length=9, empty=None, **kind):
    return [
        draw.normal(rows, **kind),
        draw.normal(rows, length, **kind),
        draw.normal(rows, length, **kind),
        draw.choice([0.1, 0.3, 0.5]),
        spans(draw, rows, length, empty=empty),
    ]


def _replaced(score, log_p, log_ref, beta, mask):
    return torch.where(_last(mask), score.unsqueeze(-1), _price(log_p, log_ref, beta, mask))


def _all_at_the_end(score, log_p, log_ref, beta, mask):
    total = score + _price(log_p, log_ref, beta, mask).sum(-1)
    return total.unsqueeze(-1) * _last(mask)


SHAPED_REWARDS = Exercise(
    name="shaped_rewards",
    points=2,
    reference=reference.shaped_rewards,
    cases=(
        Case("answers", lambda draw: _inputs(draw)),
        Case("a row without", lambda draw: _inputs(draw, empty=1)),
        Case("β = 0", lambda draw: [*_inputs(draw)[:3], 0.0, spans(draw, 4, 9)]),
        Case("answers up to the end of the row", lambda draw: [*_inputs(draw, 3)[:4], ends(draw, 3, 9)]),
        Case("float32", lambda draw: _inputs(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "sign",
            "your policy is paid for leaving the reference. Which sign has a price?",
            _score_where(_last, lambda *args: -_price(*args)),
        ),
        Mistake(
            "wraps_round",
            "a row that is full gets no score: behind its last column you look at the first one. What stands there?",
            _score_where(lambda mask: mask & ~mask.roll(-1, -1)),
        ),
        Mistake(
            "last_column_left_out",
            "an answer that ends in the last column gets no score. How do you find its last token?",
            _score_where(lambda mask: torch.cat([mask[:, :-1] & ~mask[:, 1:], mask[:, :1] & False], dim=1)),
        ),
        Mistake(
            "score_everywhere",
            "each token gets the whole score. Of how many tokens is it the reward?",
            _score_where(lambda mask: mask),
        ),
        Mistake(
            "score_shared",
            "the score is spread over the tokens. On which one does the whole of it stand?",
            _score_where(lambda mask: mask.double() / mask.sum(-1, keepdim=True).clamp(min=1)),
        ),
        Mistake(
            "last_position",
            "the score stands at the last position, which is padding. Which token is the last real one?",
            _score_where(lambda mask: _at(mask, torch.full(mask.shape[:1], mask.shape[1] - 1))),
        ),
        Mistake(
            "by_length",
            "the score stands where the count of the answer's tokens points, but the prompt comes first. Which token "
            "is the last real one?",
            _score_where(lambda mask: _at(mask, (mask.sum(-1) - 1).clamp(min=0))),
        ),
        Mistake(
            "score_first",
            "the score stands on the first token of the answer. When is it known?",
            _score_where(lambda mask: mask & (mask.int().cumsum(-1) == 1)),
        ),
        Mistake(
            "one_late",
            "the score stands one token behind the answer. Which token is the last real one?",
            _score_where(lambda mask: _last(mask).roll(1, -1)),
        ),
        Mistake(
            "no_score",
            "the score is nowhere. On which token is it added?",
            _score_where(torch.zeros_like),
        ),
        Mistake(
            "no_price",
            "the score is there, the KL is not. What does each token cost?",
            _score_where(_last, lambda log_p, log_ref, beta, mask: torch.zeros_like(log_p)),
        ),
        Mistake(
            "price_outside",
            "prompt and padding pay too. Which tokens did the policy choose?",
            _score_where(_last, lambda log_p, log_ref, beta, mask: -beta * (log_p - log_ref)),
        ),
        Mistake(
            "replaced",
            "the last token gets the score in place of its price. Is the score added, or put there?",
            _replaced,
        ),
        Mistake(
            "all_at_the_end",
            "the whole KL is paid at the last token. Where does each token pay its own?",
            _all_at_the_end,
        ),
        Mistake(
            "no_reference",
            "the price is the log-probability itself: you reward surprise. Against what is it compared?",
            _score_where(_last, lambda log_p, log_ref, beta, mask: -beta * log_p * mask),
        ),
        Mistake(
            "beta_divides",
            "you divide by β. What should happen for β = 0?",
            _score_where(_last, lambda log_p, log_ref, beta, mask: -(log_p - log_ref) / beta * mask),
        ),
        Mistake(
            "beta_on_score",
            "β multiplies the score too. Whose price is β?",
            lambda score, log_p, log_ref, beta, mask: (
                _price(log_p, log_ref, beta, mask) + beta * score.unsqueeze(-1) * _last(mask)
            ),
        ),
        Mistake(
            "k3_price",
            "you take the k3 estimate as the price. Which one is asked for here?",
            _score_where(
                _last,
                lambda log_p, log_ref, beta, mask: -beta * ((log_ref - log_p).exp() - 1 - log_ref + log_p) * mask,
            ),
        ),
        Mistake(
            "empty_row",
            "a row without an answer gets a score. Where would it stand?",
            _score_where(lambda mask: _at(mask, mask.shape[-1] - 1 - mask.flip(-1).int().argmax(-1))),
        ),
        Mistake(
            "empty_row_first",
            "a row without an answer gets a score at its first position. Where would it stand?",
            _score_where(lambda mask: _at(mask, (mask * torch.arange(mask.shape[-1])).argmax(-1))),
        ),
    ),
)
