"""shift_labels."""

from __future__ import annotations

import torch

from ...models.families import objectives as reference
from ..core.exercise import Case, Exercise, Mistake


def padded(draw, rows: int, columns: int, pad: int, low: int = 1, high: int = 50):
    """Random tokens; each row ends in padding, one in none and one in nothing else but its first token."""
    lengths = draw.integers(2, columns - 1, rows, 1)
    lengths[0], lengths[-1] = columns, 1
    tokens = draw.integers(low, high, rows, columns)
    tokens = torch.where(tokens == pad, high + 1, tokens)
    return torch.where(torch.arange(columns) < lengths, tokens, pad)


def _never(tokens, pad_id):
    return tokens[:, :-1], tokens[:, 1:].clone()


def _with(inputs, labels, ignore=-100, where=None):
    def shift_labels(tokens, pad_id):
        x, y = inputs(tokens), labels(tokens)
        masked = (y if where is None else where(tokens)) == pad_id
        return x, torch.where(masked, ignore, y)

    return shift_labels


def _first(t):
    return t[:, :-1]


def _next(t):
    return t[:, 1:]


def _inputs_too(tokens, pad_id):
    x, y = tokens[:, :-1], tokens[:, 1:]
    return torch.where(x == pad_id, -100, x), torch.where(y == pad_id, -100, y)


def _zero_is_pad(tokens, pad_id):
    return tokens[:, :-1], torch.where(tokens[:, 1:] == 0, -100, tokens[:, 1:])


SHIFT_LABELS = Exercise(
    name="shift_labels",
    points=1,
    reference=reference.shift_labels,
    cases=(
        Case("without padding", lambda draw: [draw.integers(1, 50, 3, 6), 0]),
        Case("padding", lambda draw: [padded(draw, 6, 9, 3, low=0, high=6), 3]),
        Case("padding with 0", lambda draw: [padded(draw, 4, 7, 0), 0]),
    ),
    mistakes=(
        Mistake(
            "two_ahead_in_a_circle",
            "each label is the token after the next. Which token does a position predict?",
            _with(_first, lambda t: t.roll(-2, 1)[:, :-1]),
        ),
        Mistake(
            "not_shifted",
            "your labels are the inputs themselves: the model would learn to copy. Which token follows each input?",
            _with(_first, _first),
        ),
        Mistake(
            "shifted_the_other_way",
            "your labels are the tokens before: the model would predict the past. Which token follows each input?",
            _with(_next, _first),
        ),
        Mistake(
            "two_ahead",
            "your labels are shifted by two. Which token follows each input?",
            lambda tokens, pad_id: (tokens[:, :-2], torch.where(tokens[:, 2:] == pad_id, -100, tokens[:, 2:])),
        ),
        Mistake(
            "full_length",
            "your results are as long as the tokens. For which position is no next token known?",
            lambda tokens, pad_id: (
                tokens.clone(),
                torch.where(tokens.roll(-1, 1) == pad_id, -100, tokens.roll(-1, 1)),
            ),
        ),
        Mistake(
            "full_length_last_ignored",
            "your results are as long as the tokens. For which position is no next token known?",
            lambda tokens, pad_id: (
                tokens.clone(),
                torch.cat(
                    [torch.where(tokens[:, 1:] == pad_id, -100, tokens[:, 1:]), torch.full_like(tokens[:, :1], -100)], 1
                ),
            ),
        ),
        Mistake("loss_on_padding", "padding is a label in your result. Which value does the loss leave out?", _never),
        Mistake(
            "masked_by_inputs",
            "you hide the labels where the input is padding. Which of the two must not be predicted?",
            _with(_first, _next, where=_first),
        ),
        Mistake(
            "inputs_masked_too",
            "−100 stands in your inputs too, and no embedding has that row. Which of the two results needs it?",
            _inputs_too,
        ),
        Mistake(
            "zero_taken_for_padding",
            "you take 0 for padding. Which token is padding here?",
            _zero_is_pad,
        ),
        Mistake(
            "zero_for_minus_hundred",
            "your labels are 0 at padding, and 0 is a token. Which number does the loss leave out?",
            _with(_first, _next, ignore=0),
        ),
        Mistake(
            "minus_one",
            "your labels are −1 at padding. Which number does cross_entropy leave out by itself?",
            _with(_first, _next, ignore=-1),
        ),
    ),
)
