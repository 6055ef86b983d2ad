"""sequence_log_probs."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models.rlhf_dpo import preferences as reference
from ..core.exercise import Case, Exercise, Mistake
from .masks import spans


def _log_p(logits: Tensor, tokens: Tensor) -> Tensor:
    return logits.log_softmax(-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1)


def _keep(terms: Tensor, mask: Tensor) -> Tensor:
    return terms.masked_fill(~mask, 0.0)


def _variant(
    terms: Callable[[Tensor, Tensor], Tensor] = _log_p,
    marked: Callable[[Tensor], Tensor] = lambda mask: mask,
    reduce: Callable[[Tensor, Tensor], Tensor] = lambda kept, mask: kept.sum(-1),
) -> Callable:
    """The right shift, with other terms, another choice of tokens or another reduction."""

    def sequence_log_probs(logits, tokens, mask):
        counts = marked(mask)[:, 1:]
        return reduce(_keep(terms(logits[:, :-1], tokens[:, 1:]), counts), counts)

    return sequence_log_probs


def _naive(logits: Tensor, tokens: Tensor) -> Tensor:
    p = logits.exp() / logits.exp().sum(-1, keepdim=True)
    return p.gather(-1, tokens.unsqueeze(-1)).squeeze(-1).log()


def _log_of_softmax(logits: Tensor, tokens: Tensor) -> Tensor:
    return logits.softmax(-1).gather(-1, tokens.unsqueeze(-1)).squeeze(-1).log()


def _from_the_front(mask: Tensor) -> Tensor:
    return mask.flip(-1).int().cumsum(-1).flip(-1) > 0


def _to_the_end(mask: Tensor) -> Tensor:
    return mask.int().cumsum(-1) > 0


def _case(draw, rows=4, length=9, vocab=5, **kind):
    return [draw.normal(rows, length, vocab, **kind), draw.integers(0, vocab - 1, rows, length)]


SEQUENCE_LOG_PROBS = Exercise(
    name="sequence_log_probs",
    points=2,
    reference=reference.sequence_log_probs,
    cases=(
        Case("answers", lambda draw: [*_case(draw), spans(draw, 4, 9, first=2)], grad=True),
        Case("first token marked", lambda draw: [*_case(draw), torch.ones(4, 9, dtype=torch.bool)], grad=True),
        Case("a row without", lambda draw: [*_case(draw), spans(draw, 4, 9, first=2, empty=1)], grad=True),
        Case("large scores", lambda draw: [*_case(draw, scale=800.0), spans(draw, 4, 9, first=2)]),
        Case("their gradients", lambda draw: [*_case(draw, scale=800.0), spans(draw, 4, 9, first=2)], grad=True),
        Case("float32", lambda draw: [*_case(draw, dtype=torch.float32), spans(draw, 4, 9, first=2)]),
    ),
    mistakes=(
        Mistake(
            "no_shift",
            "you score each token by the logits of its own position, which have read it. Which position predicts "
            "token t?",
            lambda logits, tokens, mask: _keep(_log_p(logits, tokens), mask).sum(-1),
        ),
        Mistake(
            "mask_not_shifted",
            "scores and tokens are shifted, but the mask is cut at its end: the first marked token is lost and one "
            "more counts. With which of the two is the mask aligned?",
            lambda logits, tokens, mask: _keep(_log_p(logits[:, :-1], tokens[:, 1:]), mask[:, :-1]).sum(-1),
        ),
        Mistake(
            "shifted_backwards",
            "you shift the wrong way: scores are compared with the token before. Which token does position t predict?",
            lambda logits, tokens, mask: _keep(_log_p(logits[:, 1:], tokens[:, :-1]), mask[:, 1:]).sum(-1),
        ),
        Mistake(
            "shifted_backwards_with_mask",
            "you shift the wrong way: scores are compared with the token before. Which token does position t predict?",
            lambda logits, tokens, mask: _keep(_log_p(logits[:, 1:], tokens[:, :-1]), mask[:, :-1]).sum(-1),
        ),
        Mistake(
            "mean_over_all",
            "you take the mean over all positions. The logarithm of a product of probabilities is which of their "
            "logarithms?",
            _variant(reduce=lambda kept, mask: kept.mean(-1)),
        ),
        Mistake(
            "mean",
            "you take the mean over the tokens. The logarithm of a product of probabilities is which of their "
            "logarithms?",
            _variant(reduce=lambda kept, mask: kept.sum(-1) / mask.sum(-1).clamp(min=1)),
        ),
        Mistake(
            "everything_counts",
            "prompt and padding are added as well. What does the mask say?",
            _variant(marked=torch.ones_like),
        ),
        Mistake(
            "prompt_counted",
            "the prompt counts in your sum. Whose probability is wanted, the answer's or the whole text's?",
            _variant(marked=_from_the_front),
        ),
        Mistake(
            "padding_counted",
            "what follows the answer counts in your sum. Where does the mask end?",
            _variant(marked=_to_the_end),
        ),
        Mistake(
            "mask_inverted",
            "you add up what is not marked. What does True in the mask mean?",
            _variant(marked=lambda mask: ~mask),
        ),
        Mistake(
            "negative",
            "your numbers are positive: a loss. Which sign has the logarithm of a probability?",
            _variant(reduce=lambda kept, mask: -kept.sum(-1)),
        ),
        Mistake(
            "over_the_batch",
            "you add up the whole batch. Over which axis runs the sum?",
            _variant(reduce=lambda kept, mask: kept.sum()),
        ),
        Mistake(
            "not_added_up",
            "you return one number per token. How does one per row come of them?",
            _variant(reduce=lambda kept, mask: kept),
        ),
        Mistake(
            "raw_scores",
            "you add up the scores themselves. What makes log-probabilities of them?",
            _variant(lambda logits, tokens: logits.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)),
        ),
        Mistake(
            "probabilities",
            "you add up probabilities. Of what is the sum taken?",
            _variant(lambda logits, tokens: _log_p(logits, tokens).exp()),
        ),
        Mistake(
            "base_2",
            "you count in bits. Which logarithm do nats use?",
            _variant(lambda logits, tokens: _log_p(logits, tokens) / math.log(2)),
        ),
        Mistake(
            "largest",
            "you take the largest log-probability at each position. Which token was it that was written?",
            _variant(lambda logits, tokens: logits.log_softmax(-1).amax(-1)),
        ),
        Mistake(
            "first_token_counted",
            "the first token counts, by the scores of the last position: roll goes round in a circle. Which scores "
            "stand before the first token?",
            lambda logits, tokens, mask: _keep(_log_p(logits, tokens.roll(-1, 1)), mask.roll(-1, 1)).sum(-1),
        ),
        Mistake(
            "overflow",
            "exp overflows for large scores. Which function of torch gives the logarithm of a softmax safely?",
            _variant(_naive),
        ),
        Mistake(
            "log_of_softmax",
            "the logarithm of a softmax of large scores is −∞. Which function does both at once?",
            _variant(_log_of_softmax),
        ),
        Mistake(
            "detached",
            "the values are right, but no gradient reaches the logits. What cuts the graph?",
            _variant(reduce=lambda kept, mask: kept.sum(-1).detach()),
        ),
    ),
)
