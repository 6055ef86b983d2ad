"""sft_labels."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models.pretrain_finetune import examples as reference
from ..core.exercise import Case, Exercise, Mistake

END = 2  # end token, and padding


def conversations(draw, batch: int, length: int) -> list[Tensor]:
    """Rows of prompt, answer, end and padding, whose padding is the end token too; and both lengths.

    Some answers have a second turn: an end token stands within them.
    """
    lengths = draw.integers(4, length, batch)
    lengths[0] = length  # one row without padding
    prompts = torch.stack([draw.integers(1, int(n) - 2, 1)[0] for n in lengths])
    ids = draw.integers(3, 30, batch, length)
    positions = torch.arange(length)
    ids[::2] = ids[::2].scatter(1, prompts[::2, None], END)
    ids = torch.where(positions >= lengths[:, None] - 1, END, ids)  # the end token and everything after it
    return [ids, prompts, lengths]


def _labels(low: Callable, high: Callable, others: int = -100, shift: int = 0) -> Callable:
    """Labels between two bounds, which are functions of prompt and real lengths."""

    def sft_labels(input_ids, prompt_lengths, lengths):
        positions = torch.arange(input_ids.shape[1])
        p, n = prompt_lengths[:, None], lengths[:, None]
        counts = (positions >= low(p, n)) & (positions < high(p, n))
        labels = torch.where(counts, input_ids, others)
        if shift:
            labels = torch.cat([labels[:, shift:], torch.full_like(labels[:, :shift], others)], dim=1)
        return labels

    return sft_labels


def _by_end_token(input_ids, prompt_lengths, lengths):
    labels = _labels(lambda p, n: p, lambda p, n: n)(input_ids, prompt_lengths, lengths)
    return labels.masked_fill(input_ids == END, -100)


SFT_LABELS = Exercise(
    name="sft_labels",
    points=1.5,
    reference=reference.sft_labels,
    cases=(
        Case("conversations", lambda draw: conversations(draw, 4, 9)),
        Case("more of them", lambda draw: conversations(draw, 12, 14)),
        Case(
            "no prompt, and no answer",
            lambda draw: [draw.integers(3, 30, 3, 6), torch.tensor([0, 4, 6]), torch.tensor([6, 4, 6])],
        ),
    ),
    mistakes=(
        Mistake(
            "loss_on_the_prompt",
            "the prompt counts in your labels. What should the model learn to write?",
            _labels(lambda p, n: 0, lambda p, n: n),
        ),
        Mistake(
            "end_token_lost",
            "the end token does not count, so the model never learns to stop. Does `lengths` include it?",
            _labels(lambda p, n: p, lambda p, n: n - 1),
        ),
        Mistake(
            "end_token_taken_for_padding",
            "you mask every token that equals the padding, and the end token with it. Which argument tells "
            "real tokens?",
            _by_end_token,
        ),
        Mistake(
            "loss_on_the_padding",
            "the padding counts in your labels. Where does a row really end?",
            _labels(lambda p, n: p, lambda p, n: 10**9),
        ),
        Mistake(
            "everything_counts",
            "prompt and padding count in your labels. Which tokens should the model learn to write?",
            _labels(lambda p, n: 0, lambda p, n: 10**9),
        ),
        Mistake(
            "first_answer_token_lost",
            "the first token of the answer does not count. Which position is the first after the prompt?",
            _labels(lambda p, n: p + 1, lambda p, n: n),
        ),
        Mistake(
            "last_prompt_token_counts",
            "the last token of the prompt counts. Which position is the first after the prompt?",
            _labels(lambda p, n: p - 1, lambda p, n: n),
        ),
        Mistake(
            "one_token_too_far",
            "the first token of the padding counts. Which position is the last real one?",
            _labels(lambda p, n: p, lambda p, n: n + 1),
        ),
        Mistake(
            "shifted_here",
            "you shift the labels, and the loss shifts again. Where does the exercise put the shift?",
            _labels(lambda p, n: p, lambda p, n: n, shift=1),
        ),
        Mistake(
            "zeros_elsewhere",
            "you write 0 where nothing counts, and 0 is a token. Which label does the loss leave out?",
            _labels(lambda p, n: p, lambda p, n: n, others=0),
        ),
        Mistake(
            "only_the_prompt",
            "you keep the prompt and drop the answer. Which of them should the model learn to write?",
            _labels(lambda p, n: 0, lambda p, n: p),
        ),
        Mistake(
            "answer_lengths",
            "you take `lengths` for the length of the answer. What does it count?",
            _labels(lambda p, n: p, lambda p, n: p + n),
        ),
    ),
)
