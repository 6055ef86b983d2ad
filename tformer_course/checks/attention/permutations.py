"""permutation_gap: asked of a layer that knows the order, and of one that does not."""

from __future__ import annotations

import torch

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _mean_of_others(x):
    """Treats positions alike: the gap is 0."""
    return 2.0 * x + x.mean(1, keepdim=True)


def _running_sum(x):
    """Knows the order: position t gets the sum up to t. Features and samples differ too, so that a wrong axis shows."""
    batch, _, width = x.shape
    return x.cumsum(1) * torch.linspace(1, 1.5, width) * torch.linspace(1, 1.5, batch)[:, None, None]


def _gap_of(attend):
    return lambda answer, x, perm: float(answer(attend, x, perm))


def _slow_gap(x, perm):
    order = perm.tolist()
    moved = torch.stack([x[:, j] for j in order], 1)
    totals, moved_totals = _running_sum(x), _running_sum(moved)
    return max(float((totals[:, j] - moved_totals[:, t]).abs().max()) for t, j in enumerate(order))


def _gap(outer, inner, size=lambda g: g.abs().max()):
    return lambda attend, x, perm: size(outer(attend(x), perm) - attend(inner(x, perm))).item()


def _tokens(t, perm):
    return t[:, perm]


def _untouched(t, perm):
    return t


PERMUTATION_GAP = Exercise(
    name="permutation_gap",
    points=1,
    reference=reference.permutation_gap,
    cases=(
        # As many features and samples as tokens: a permuted wrong axis is no IndexError, but a wrong number.
        Case(
            "a layer that knows the order",
            lambda draw: [draw.normal(5, 5, 5), draw.permutation(5)],
            _slow_gap,
            call=_gap_of(_running_sum),
        ),
        Case(
            "one that does not",
            lambda draw: [draw.normal(2, 6, 4), draw.permutation(6)],
            lambda x, perm: 0.0,
            call=_gap_of(_mean_of_others),
            tol=1e-9,
        ),
        Case(
            "fresh sizes",
            lambda draw: [draw.normal(2, 7, 3), draw.permutation(7)],
            _slow_gap,
            call=_gap_of(_running_sum),
        ),
    ),
    mistakes=(
        Mistake(
            "only_the_input_permuted",
            "you permute the input, but compare with the output in the old order. What must happen to attend(x)?",
            _gap(_untouched, _tokens),
        ),
        Mistake(
            "only_the_output_permuted",
            "you permute the output, but attend sees x in the old order. What must happen to x?",
            _gap(_tokens, _untouched),
        ),
        Mistake(
            "inverse_on_one_side",
            "the two sides use orders that undo each other. Do both sides index with the same perm?",
            _gap(lambda t, perm: t[:, perm.argsort()], _tokens),
        ),
        Mistake(
            "inverse_on_the_other_side",
            "the two sides use orders that undo each other. Do both sides index with perm itself?",
            _gap(_tokens, lambda t, perm: t[:, perm.argsort()]),
        ),
        Mistake(
            "inverse_on_both_sides",
            "you apply the inverse of perm on both sides. What does x[:, perm] do without argsort?",
            _gap(lambda t, perm: t[:, perm.argsort()], lambda t, perm: t[:, perm.argsort()]),
        ),
        Mistake(
            "features_permuted",
            "you permute the features (the last axis). Which axis of (B, n, d) counts the tokens?",
            _gap(lambda t, perm: t[..., perm], lambda t, perm: t[..., perm]),
        ),
        Mistake(
            "batch_permuted",
            "you permute the samples of the batch. Which axis of (B, n, d) counts the tokens?",
            _gap(lambda t, perm: t[perm], lambda t, perm: t[perm]),
        ),
        Mistake(
            "mean_gap",
            "you return the mean of the differences. Which single number is 0 only if every entry agrees, and shows "
            "the worst one?",
            _gap(_tokens, _tokens, lambda g: g.abs().mean()),
        ),
        Mistake(
            "sign_kept",
            "you take the maximum of the signed differences, so large negative ones are lost. What comes before the "
            "maximum?",
            _gap(_tokens, _tokens, lambda g: g.max()),
        ),
        Mistake(
            "first_sample_only",
            "you look at the first sample of the batch alone. Over which axes does the maximum run?",
            _gap(_tokens, _tokens, lambda g: g[0].abs().max()),
        ),
        Mistake(
            "norm_of_gap",
            "you return a norm over all entries. Which entry does the docstring ask for?",
            _gap(_tokens, _tokens, lambda g: g.norm()),
        ),
    ),
)
