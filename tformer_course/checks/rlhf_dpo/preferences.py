"""preference_loss and last_token_rewards."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.rlhf_dpo import preferences as reference
from ..core.exercise import Case, Exercise, Mistake
from .masks import ends, spans, starts


def _loss(of: Callable[[Tensor], Tensor], reduce: Callable[[Tensor], Tensor] = torch.mean) -> Callable:
    """A loss of the difference of the rewards."""
    return lambda chosen, rejected: reduce(of(chosen - rejected))


def _pairs(draw, *shape, **kind):
    return [draw.normal(*shape, **kind), draw.normal(*shape, **kind)]


PREFERENCE_LOSS = Exercise(
    name="preference_loss",
    points=1.5,
    reference=reference.preference_loss,
    cases=(
        Case("pairs", lambda draw: _pairs(draw, 6), grad=True),
        Case("a single pair", lambda draw: _pairs(draw, 1), grad=True),
        Case(
            "rewards of a thousand",
            lambda draw: [torch.tensor([-1000.0, 1000.0, 0.5]), torch.tensor([1000.0, -1000.0, 0.25])],
        ),
        Case("float32", lambda draw: _pairs(draw, 5, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "sign",
            "your loss is small where the rejected answer has the higher reward. Which reward is subtracted from "
            "which?",
            _loss(lambda d: -F.logsigmoid(-d)),
        ),
        Mistake(
            "not_negated",
            "your loss is negative: a log-likelihood. Which sign makes it something to minimise?",
            _loss(F.logsigmoid),
        ),
        Mistake(
            "no_log",
            "you take the sigmoid without its logarithm. What is the negative log-likelihood of a choice?",
            _loss(lambda d: -d.sigmoid()),
        ),
        Mistake(
            "one_minus",
            "you take 1 − σ, the probability of an error, as the loss. What is the negative log-likelihood of a "
            "choice?",
            _loss(lambda d: 1 - d.sigmoid()),
        ),
        Mistake(
            "sum",
            "you return the sum. Which reduction is asked for?",
            _loss(lambda d: -F.logsigmoid(d), torch.sum),
        ),
        Mistake(
            "per_pair",
            "you return one loss per pair. Which reduction is asked for?",
            _loss(lambda d: -F.logsigmoid(d), lambda x: x),
        ),
        Mistake(
            "mean_first",
            "you average the rewards and compare the averages. Which answers are compared with each other?",
            _loss(lambda d: -F.logsigmoid(d.mean())),
        ),
        Mistake(
            "hinge",
            "you use a margin of 1, as a support vector machine does. Which loss has the Bradley–Terry model?",
            _loss(lambda d: (1 - d).relu()),
        ),
        Mistake(
            "difference_only",
            "your loss is the difference of the rewards: it has no lower bound. Through which function does the "
            "difference become a probability?",
            _loss(lambda d: -d),
        ),
        Mistake(
            "squared",
            "you square a difference, as in regression. Which loss has a choice between two?",
            _loss(lambda d: (1 - d).square()),
        ),
        Mistake(
            "each_alone",
            "you push each reward by itself, up or down, so a shift of both changes the loss. On what does the "
            "probability of a choice depend?",
            lambda chosen, rejected: -(F.logsigmoid(chosen) + F.logsigmoid(-rejected)).mean(),
        ),
        Mistake(
            "base_2",
            "you count in bits: equal rewards give 1. What should they give in nats?",
            _loss(lambda d: -F.logsigmoid(d) / 0.6931471805599453),
        ),
        Mistake(
            "overflow",
            "your loss is infinite for rewards of a thousand. Which function of torch gives log σ in one step?",
            _loss(lambda d: -d.sigmoid().log()),
        ),
        Mistake(
            "clamped",
            "you keep log σ finite by a small number inside, so a hopeless pair costs too little. Which function of "
            "torch gives log σ exactly?",
            _loss(lambda d: -(d.sigmoid() + 1e-8).log()),
        ),
    ),
)


def _last_index(mask: Tensor) -> Tensor:
    return mask.shape[-1] - 1 - mask.flip(-1).int().argmax(-1)


def _at(index: Callable[[Tensor], Tensor], empty: bool = True) -> Callable:
    """The score at an index that the mask gives; 0 for empty rows where `empty`."""

    def last_token_rewards(scores, mask):
        picked = scores.gather(-1, index(mask).unsqueeze(-1)).squeeze(-1)
        return picked.masked_fill(~mask.any(-1), 0.0) if empty else picked

    return last_token_rewards


LAST_TOKEN_REWARDS = Exercise(
    name="last_token_rewards",
    points=1.5,
    reference=reference.last_token_rewards,
    cases=(
        Case("padding on the right", lambda draw: [draw.normal(5, 8), starts(draw, 5, 8)], grad=True),
        Case("padding on the left", lambda draw: [draw.normal(5, 8), ends(draw, 5, 8)], grad=True),
        Case("padding on both sides", lambda draw: [draw.normal(5, 8), spans(draw, 5, 8)], grad=True),
        Case("a row without", lambda draw: [draw.normal(4, 8), spans(draw, 4, 8, empty=2)], grad=True),
        Case("float32", lambda draw: [draw.normal(4, 8, dtype=torch.float32), spans(draw, 4, 8)]),
    ),
    mistakes=(
        Mistake(
            "last_position",
            "you read the last position, which is padding in a short row. Where does the answer end?",
            lambda scores, mask: scores[:, -1] * mask.any(-1),
        ),
        Mistake(
            "masked_last_position",
            "you read the last position and set it to 0 where it is padding. Where does the answer end?",
            lambda scores, mask: (scores * mask)[:, -1],
        ),
        Mistake(
            "mean",
            "you average the scores of all real tokens. Which one has read the whole answer?",
            lambda scores, mask: (scores * mask).sum(-1) / mask.sum(-1).clamp(min=1),
        ),
        Mistake(
            "sum",
            "you add up the scores of all real tokens. Which one has read the whole answer?",
            lambda scores, mask: (scores * mask).sum(-1),
        ),
        Mistake(
            "maximum",
            "you take the highest score of the row. Which one has read the whole answer?",
            lambda scores, mask: scores.masked_fill(~mask, -torch.inf).amax(-1).masked_fill(~mask.any(-1), 0.0),
        ),
        Mistake(
            "first_token",
            "you read the first real token, which has seen nothing of the answer. Where does the answer end?",
            _at(lambda mask: mask.int().argmax(-1)),
        ),
        Mistake(
            "one_early",
            "you read one position before the last real token. Is the index a count, or a count less one?",
            _at(lambda mask: (_last_index(mask) - 1).clamp(min=0)),
        ),
        Mistake(
            "one_late",
            "you read one position after the last real token. Is the index a count, or a count less one?",
            _at(lambda mask: (_last_index(mask) + 1).clamp(max=mask.shape[-1] - 1)),
        ),
        Mistake(
            "by_length",
            "you count the real tokens and take that as the place of the last one. Where is it when the padding stands "
            "on the left?",
            _at(lambda mask: (mask.sum(-1) - 1).clamp(min=0)),
        ),
        Mistake(
            "empty_row",
            "a row without a real token gets the score of some padding. What is its reward?",
            _at(_last_index, empty=False),
        ),
        Mistake(
            "empty_row_first",
            "a row without a real token gets the score of its first position. What is its reward?",
            _at(lambda mask: (mask * torch.arange(mask.shape[-1])).argmax(-1), empty=False),
        ),
        Mistake(
            "per_token",
            "you return one number per position. How many rewards has an answer?",
            lambda scores, mask: scores * mask,
        ),
        Mistake(
            "detached",
            "the values are right, but no gradient reaches the scores: a reward model could not learn. What cuts the "
            "graph?",
            lambda scores, mask: _at(_last_index)(scores.detach(), mask),
        ),
    ),
)
