"""span_corruption."""

from __future__ import annotations

import torch
from torch import Tensor

from ...models.families import objectives as reference
from ..core.exercise import Case, Exercise, Mistake
from . import span_mistakes as wrong

SENTINELS = list(range(990, 890, -1))  # in the order of their use; tokens of texts are below 800


def wanted_sizes(n: int, density: float, mean_span: float) -> tuple[int, int]:
    """How many tokens are cut out, and in how many spans, where those fit."""
    cut = min(n, max(1, round(density * n)))
    return cut, min(max(1, round(cut / mean_span)), cut, n - cut + 1)


def examine(inputs: Tensor, targets: Tensor, tokens: Tensor, sentinels, density: float, mean_span: float) -> dict:
    """What holds for one pair of inputs and targets."""
    source, target, text = inputs.tolist(), targets.tolist(), tokens.tolist()
    known = set(sentinels)
    marks, ends = [t for t in source if t in known], [t for t in target if t in known]
    spans: dict[int, list[int]] = {}
    last = None
    for token in target:
        if token in known:
            last = token
            spans.setdefault(token, [])
        elif last is not None:
            spans[last].append(token)
    rebuilt = [t for token in source for t in (spans.get(token, []) if token in known else [token])]
    cut, count = wanted_sizes(len(text), density, mean_span)
    return {
        "the text can be put together again": rebuilt == text,
        "sentinels in the inputs, in order, each once": marks == list(sentinels[: len(marks)]) and len(marks) > 0,
        "the same sentinels in the targets": ends[: len(marks)] == marks,
        "the targets end with one more sentinel": len(ends) == len(marks) + 1 and target[-1] == ends[-1],
        "it was not used before": ends[-1:] != [] and ends.count(ends[-1]) == 1 and ends[-1] not in marks,
        "it is the next one": ends[-1:] == list(sentinels[len(marks) : len(marks) + 1]),
        "tokens cut out, of those that should be": (len(text) - (len(source) - len(marks))) / cut,
        "spans, of those that should be": len(marks) / count,
        "no empty span": all(spans.get(m) for m in marks),
        "spans never touch": not any(a in known and b in known for a, b in zip(source, source[1:], strict=False)),
    }


def hit_positions(pairs, n: int) -> Tensor:
    """How often each position of a text 0 … n−1 was cut out; sentinels are n and above."""
    hits = torch.zeros(n)
    for inputs, _ in pairs:
        gone = torch.ones(n, dtype=torch.bool)
        gone[inputs[inputs < n]] = False
        hits += gone
    return hits


def _seeded(seed):
    return torch.Generator().manual_seed(seed)


def _many(answer, tokens, density, mean_span, seed):
    """How often each property holds, over 40 draws."""
    generator, totals = _seeded(seed), {}
    for _ in range(40):
        pair = answer(tokens, SENTINELS, density, mean_span, generator)
        for name, holds in examine(*pair, tokens, SENTINELS, density, mean_span).items():
            totals[name] = totals.get(name, 0) + holds / 40
    return totals


def _all_right(tokens, density, mean_span, seed):
    pair = reference.span_corruption(tokens, SENTINELS, density, mean_span, _seeded(seed))
    return dict.fromkeys(examine(*pair, tokens, SENTINELS, density, mean_span), 1.0)


def _reached(answer, n, seed):
    """Whether each position is hit by 400 draws, the first and the last too."""
    generator = _seeded(seed)
    tokens = torch.arange(n)
    pairs = [answer(tokens, SENTINELS, 0.4, 2, generator) for _ in range(400)]
    hits = hit_positions(pairs, n)
    return [bool(hits[0] > 0), bool(hits[-1] > 0), bool((hits > 0).all())]


def _defaults(answer, tokens, seed):
    inputs, targets = answer(tokens, SENTINELS, generator=_seeded(seed))
    return examine(inputs, targets, tokens, SENTINELS, 0.15, 3)


def short_of_sentinels(answer):
    """How it answers where one sentinel is missing, and where there are just enough."""
    tokens = torch.arange(60)
    told = []
    for count in (3, 4):  # 9 tokens in 3 spans need 4 sentinels
        try:
            told.append(len(answer(tokens, SENTINELS[:count])[0]))
        except ValueError:
            told.append("ValueError")
    return told


def _repeats(answer, tokens, seed):
    first, again = (answer(tokens, SENTINELS, generator=_seeded(seed)) for _ in range(2))
    others = [answer(tokens, SENTINELS, generator=_seeded(seed + i)) for i in range(1, 9)]
    same = [torch.equal(a, b) for a, b in zip(first, again, strict=True)]
    return [all(same), any(not torch.equal(first[1], o[1]) for o in others)]


def _sizes(answer, seed):
    """Tokens cut out and spans where it matters what is rounded, and how."""
    generator, told = _seeded(seed), []
    for n, density, mean_span in ((10, 0.25, 1), (50, 0.15, 3), (47, 0.15, 3)):
        inputs, _ = answer(torch.arange(n), SENTINELS, density, mean_span, generator)
        spans = int((inputs >= n).sum())
        told.append([n - len(inputs) + spans, spans])
    return told


def _text(draw, n):
    return draw.integers(0, 799, n)


SPAN_CORRUPTION = Exercise(
    name="span_corruption",
    points=2,
    reference=reference.span_corruption,
    cases=(
        Case(
            "inputs and targets",
            lambda draw: [_text(draw, draw.choice([56, 59, 62])), 0.3, 3, draw.integer(0, 10**6)],
            _all_right,
            call=_many,
        ),
        Case(
            "the defaults",
            lambda draw: [_text(draw, draw.choice([102, 108, 95])), draw.integer(0, 10**6)],
            lambda tokens, seed: _defaults(reference.span_corruption, tokens, seed),
            call=_defaults,
        ),
        Case(
            "short texts",
            lambda draw: [_text(draw, draw.integer(2, 3)), 0.15, 3, draw.integer(0, 10**6)],
            _all_right,
            call=_many,
        ),
        Case(
            "almost everything cut out",
            lambda draw: [_text(draw, 12), 0.85, 1, draw.integer(0, 10**6)],
            _all_right,
            call=_many,
        ),
        Case(
            "every position",
            lambda draw: [draw.integer(7, 9), draw.integer(0, 10**6)],
            lambda n, seed: [True] * 3,
            call=_reached,
        ),
        Case(
            "rounding",
            lambda draw: [draw.integer(0, 10**6)],
            lambda seed: [[2, 2], [8, 3], [7, 2]],
            call=_sizes,
        ),
        Case("too few sentinels", lambda draw: [], lambda: ["ValueError", 54], call=short_of_sentinels),
        Case(
            "generator",
            lambda draw: [_text(draw, 60), draw.integer(0, 10**6)],
            lambda tokens, seed: [True, True],
            call=_repeats,
        ),
    ),
    mistakes=(
        Mistake(
            "sentinel_reused",
            "every span gets the same sentinel, so the decoder cannot say which one it fills. Which sentinel is next?",
            wrong.spans(marks="reused"),
        ),
        Mistake(
            "final_sentinel_missing",
            "your targets do not end with a sentinel. How does the decoder say that it is done?",
            wrong.spans(end="missing"),
        ),
        Mistake(
            "final_sentinel_used",
            "your targets end with a sentinel that was used before. Which is the next unused one?",
            wrong.spans(end="last_again"),
        ),
        Mistake(
            "final_sentinel_fixed",
            "your targets always end with the last of all sentinels. Which is the next unused one?",
            wrong.spans(end="very_last"),
        ),
        Mistake(
            "spans_touch",
            "some of your spans touch, so two sentinels stand side by side. What must lie between two spans?",
            wrong.spans(gaps="touching"),
        ),
        Mistake(
            "sentinel_per_token",
            "each token of a span gets a sentinel. How many stand for a span in the inputs?",
            wrong.spans(marks="per_token"),
        ),
        Mistake(
            "no_sentinels_in_targets",
            "your targets hold the spans without their sentinels. How would the decoder tell where one ends?",
            wrong.spans(marks="not_in_targets", end="missing"),
        ),
        Mistake(
            "sentinel_behind_the_span",
            "in your targets the sentinel stands behind its span. What is written first?",
            wrong.spans(marks="behind", end="missing"),
        ),
        Mistake(
            "sentinels_reversed",
            "your sentinels are used from the last to the first. In which order are they given?",
            wrong.spans(marks="reversed"),
        ),
        Mistake(
            "swapped",
            "inputs and targets are swapped. Which of them does the encoder read?",
            wrong.swapped,
        ),
        Mistake(
            "rounded_down",
            "you cut out the wrong number of tokens. What does Python's round give for density times length?",
            wrong.spans(size="floor"),
        ),
        Mistake(
            "rounded_up",
            "you cut out the wrong number of tokens. What does Python's round give for density times length?",
            wrong.spans(size="ceil"),
        ),
        Mistake(
            "half_rounded_up",
            "half a token is rounded up in your count. What does Python's round give for 2.5?",
            wrong.spans(size="half_up"),
        ),
        Mistake(
            "spans_rounded_up",
            "you make too many spans. Is their number rounded, or always raised?",
            wrong.spans(size="always_up"),
        ),
        Mistake(
            "spans_by_the_share",
            "your number of spans comes from density times length. Of which number is mean_span a part?",
            wrong.spans(size="by_share"),
        ),
        Mistake(
            "none_cut_out",
            "nothing is cut out of a short text. How many tokens are cut out at least?",
            wrong.spans(size="may_be_none"),
        ),
        Mistake(
            "one_span",
            "everything is cut out in a single span. How many spans of mean_span tokens are there?",
            wrong.spans(size="one"),
        ),
        Mistake(
            "spans_of_one_token",
            "every span has one token. What is mean_span for?",
            wrong.spans(size="singles"),
        ),
        Mistake(
            "coins_per_token",
            "each token flips its own coin, as in BERT. How many tokens are cut out, and in how many spans?",
            wrong.coins_per_token,
        ),
        Mistake(
            "never_at_the_start",
            "the first token is never cut out, as in T5's own code. Which positions can be hit here?",
            wrong.spans(gaps="t5"),
        ),
        Mistake(
            "never_at_the_ends",
            "the first and the last token are never cut out. Which gaps between spans may be empty?",
            wrong.spans(gaps="never_at_the_ends"),
        ),
        Mistake(
            "sentinels_run_out",
            "where the sentinels do not suffice you go on in silence. How many does a text with k spans need?",
            wrong.spans(check=False),
        ),
        Mistake(
            "generator_ignored",
            "the same generator gives different spans. Which functions must receive it?",
            wrong.spans(draw="generator_ignored"),
        ),
    ),
)
