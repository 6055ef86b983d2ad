"""Seq2Seq."""

from __future__ import annotations

import torch
from torch import Tensor

from ...models.block import blocks as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_blocks as wrong


def stirred(model: torch.nn.Module) -> torch.nn.Module:
    """The model with small changes of its weights: what starts at 0, as a table of positions may, counts.

    In float32, as it was made: torch reads the mask of `nn.Transformer.generate_square_subsequent_mask` wrongly beside
    float64. In 320 models an influence was 4e-3 or more, rounding below 1e-6.
    """
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for p in model.eval().parameters():
            p.add_(torch.randn(p.shape, generator=generator, dtype=p.dtype), alpha=0.1)
    return model


def influence(answer, sizes, source: Tensor, target: Tensor) -> dict:
    """Which input tokens move which logits, as tables of 0 and 1."""
    model = stirred(answer(*sizes))
    vocabulary = sizes[0]
    with torch.no_grad():
        logits = model(source, target)
        if logits.shape != (*target.shape, vocabulary):
            return {"shape": list(logits.shape)}

        def moved(new_source, new_target):
            return ((model(new_source, new_target) - logits).abs().amax(dim=(0, 2)) > 1e-5).int().tolist()

        def other(tokens, i):
            changed = tokens.clone()
            changed[:, i] = (changed[:, i] + 1) % vocabulary
            return changed

        def swapped(tokens):
            return tokens[:, [1, 0, *range(2, tokens.shape[1])]]

        return {
            "shape": list(logits.shape),
            "scores of any sign and size": bool((logits < 0).any() or ((logits.sum(-1) - 1).abs() > 1e-6).any()),
            "target": [moved(source, other(target, i)) for i in range(target.shape[1])],
            "source": [moved(other(source, i), target) for i in range(source.shape[1])],
            "order of the source": moved(swapped(source), target),
        }


def influence_wanted(sizes, source: Tensor, target: Tensor) -> dict:
    batch, t = target.shape
    return {
        "shape": [batch, t, sizes[0]],
        "scores of any sign and size": True,
        "target": [[int(j >= i) for j in range(t)] for i in range(t)],
        "source": [[1] * t] * source.shape[1],
        "order of the source": [1] * t,
    }


def token_inputs(draw, vocabulary: int, source: int, target: int, batch: int = 2) -> list[Tensor]:
    """Tokens in which neighbours of the source always differ, so that a swap of two is a change."""
    first = draw.integers(0, vocabulary - 1, batch, 1)
    steps = draw.integers(1, vocabulary - 1, batch, source - 1)
    return [
        torch.cat([first, first + steps.cumsum(1)], 1) % vocabulary,
        draw.integers(0, vocabulary - 1, batch, target),
    ]


def _prefix(answer, sizes, source, target, cut):
    """What the logits of a prefix differ by when the rest of the target is there too."""
    model = stirred(answer(*sizes))
    with torch.no_grad():
        gap = (model(source, target)[:, :cut] - model(source, target[:, :cut])).abs().max().item()
    return gap < 1e-4


SEQ2SEQ = Exercise(
    name="Seq2Seq",
    points=3,
    reference=reference.Seq2Seq,
    forbid=(),  # judged by behaviour: torch's own layers may be its parts
    cases=(
        Case(
            "who sees whom",
            lambda draw: [(9, 8, 2, 1, 6), *token_inputs(draw, 9, 5, 5)],
            influence_wanted,
            call=influence,
            limit=20.0,
        ),
        Case(
            "two layers",
            lambda draw: [(9, 8, 2, 2, 6), *token_inputs(draw, 9, 4, 6)],
            influence_wanted,
            call=influence,
            limit=20.0,
        ),
        Case(
            "a longer source",
            lambda draw: [(7, 8, 4, 1, 8), *token_inputs(draw, 7, 8, 3)],
            influence_wanted,
            call=influence,
            limit=20.0,
        ),
        Case(
            "a prefix of the target",
            lambda draw: [(9, 8, 2, 2, 6), *token_inputs(draw, 9, 5, 6), draw.integer(1, 5)],
            lambda *a: True,
            call=_prefix,
            limit=20.0,
        ),
    ),
    mistakes=(
        Mistake(
            "sees_the_future",
            "a logit depends on target tokens that come after it, so the model copies its answers in training and "
            "fails in use. Which mask does the decoder's self-attention need?",
            wrong.seq2seq(mask="none"),
        ),
        Mistake(
            "mask_one_too_far",
            "each logit depends on the target token after it. Does the diagonal of your mask fit?",
            wrong.seq2seq(mask="ahead"),
        ),
        Mistake(
            "mask_upside_down",
            "your decoder sees the future and not the past. What does True mean in this course?",
            wrong.seq2seq(mask="inverted"),
        ),
        Mistake(
            "shifted_inside",
            "logit t does not depend on target token t: the target is shifted a second time inside your model. Who "
            "shifts it, by the text of the exercise?",
            wrong.seq2seq(shift=True),
        ),
        Mistake(
            "no_positions",
            "two source tokens can change places without any effect. What tells the encoder where a token stands?",
            wrong.seq2seq(positions=False),
        ),
        Mistake(
            "source_not_read",
            "the source changes nothing in your logits. Which part of a decoder block reads it?",
            wrong.seq2seq(source="none"),
        ),
        Mistake(
            "target_not_read",
            "your logits do not depend on the target at all. What does the decoder start from?",
            wrong.seq2seq(target="positions_only"),
        ),
        Mistake(
            "last_logits_only",
            "you return the logits of the last position only. How many predictions does a target of T tokens give?",
            wrong.seq2seq(target="last"),
        ),
        Mistake(
            "probabilities_returned",
            "your scores sum to 1: softmax has been taken inside. Where does F.cross_entropy take it?",
            wrong.seq2seq(target="softmax"),
        ),
        Mistake(
            "hidden_states_returned",
            "your output is d_model wide. Which layer turns a state into one score per token?",
            wrong.seq2seq(target="no_head"),
        ),
    ),
)
