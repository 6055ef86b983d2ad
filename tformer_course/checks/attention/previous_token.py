"""previous_token_scores: where a head looks, judged by its weights at several lengths."""

from __future__ import annotations

import math

import torch

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _lead(answer, n):
    """The smallest lead, over all rows, of the previous position over its best visible rival, after the scaling."""
    q, k = (t.double() for t in answer(n))
    scores = (q @ k.T / math.sqrt(q.shape[1])).masked_fill(~torch.ones(n, n, dtype=torch.bool).tril(), -math.inf)
    previous = scores.diagonal(-1)
    rivals = scores.masked_fill(torch.eye(n, dtype=torch.bool).roll(-1, 1), -math.inf)[1:].amax(-1)
    return float((previous - rivals).min())


def _where(answer, n):
    """Where the answer's queries look, in one sentence."""
    q, k = answer(n)
    if q.ndim == k.ndim == 3 and q.shape[:2] == k.shape[:2] == (1, n):
        return "there is a leading axis"
    if q.ndim != 2 or q.shape != k.shape or q.shape[0] != n:
        return (
            f"for n = {n} the shapes are {tuple(q.shape)} and {tuple(k.shape)}; both should be (n, d) with the same d"
        )
    if not (torch.isfinite(q).all() and torch.isfinite(k).all()):
        return "some entries of q or k are not finite"
    q, k = q.double(), k.double()
    raw = q @ k.T  # (n, n)
    visible = torch.ones(n, n, dtype=torch.bool).tril()
    other = 4 * n if n <= 128 else n // 4  # another length, to see whether the lead shrinks as n grows

    def shares(scores):  # the weight on the previous position, by row
        return torch.softmax(scores.masked_fill(~visible, -math.inf), -1).diagonal(-1)

    if n == 1 or shares(raw / math.sqrt(q.shape[1])).min() >= 0.99:
        return "right"
    if shares(raw).min() >= 0.99 and _lead(answer, max(n, other)) < 0.75 * _lead(answer, min(n, other)):
        return "0.99 is reached only without the division by √d"
    if n > 2 and not raw[1:].argmax(-1).any():
        return "all positions look at the first one"
    offsets = [int(raw[t].argmax()) - t for t in range(1, n)]
    likeliest = max(sorted(set(offsets)), key=offsets.count)
    names = {0: "on itself", 1: "on the next one"}
    if likeliest == -1:
        return f"for n = {n} the previous position leads, but some row gives it less than 0.99"
    where = names.get(likeliest, f"{abs(likeliest)} positions {'back' if likeliest < 0 else 'ahead'}")
    return f"most positions look {where}"


def _points_to_the_first(n):
    return 12.0 * math.sqrt(n) * torch.eye(n)[:1].expand(n, n), torch.eye(n)


def _points_to(offset, lead=12.0, scaled=True):
    def previous_token_scores(n):
        q = lead * torch.eye(n).roll(-offset, 0)  # row t is unit vector t + offset
        return (math.sqrt(n) * q if scaled else q), torch.eye(n)

    return previous_token_scores


PREVIOUS_TOKEN_SCORES = Exercise(
    name="previous_token_scores",
    points=2,
    reference=reference.previous_token_scores,
    cases=tuple(
        Case(f"n = {n}", lambda draw, n=n: [n], holds=lambda value, n: True if value == "right" else value, call=_where)
        for n in (6, 1, 2, 64, 512)
    ),
    mistakes=(
        Mistake(
            "on_itself",
            "each position puts most of its weight on itself. Which key should query t match?",
            _points_to(0),
        ),
        Mistake(
            "on_the_next",
            "each query matches the key of the next position, which the causal mask hides. Which way did you shift?",
            _points_to(1),
        ),
        Mistake(
            "two_back",
            "each position puts most of its weight two positions back. Which key should query t match?",
            _points_to(-2),
        ),
        Mistake(
            "on_the_first",
            "all positions look at the first one. How does query t say which position it wants?",
            _points_to_the_first,
        ),
        Mistake(
            "leading_axis",
            "q and k have an axis too many in front. Which shape does the docstring ask for?",
            lambda n: (torch.zeros(1, n, n), torch.zeros(1, n, n)),
        ),
        Mistake(
            "infinite",
            "some entries of q or k are not finite, and ∞ · 0 is NaN. How large must a lead really be?",
            lambda n: (math.inf * torch.eye(n), torch.eye(n)),
        ),
        Mistake(
            "scale_forgotten",
            "0.99 is reached only if nothing is divided by √d. How must q grow with d, so that the division leaves "
            "enough?",
            _points_to(-1, scaled=False),
        ),
        Mistake(
            "lead_too_small",
            "the previous position leads, but for this n it gets less than 0.99. How large must its lead be, after the "
            "division by √d, against n − 1 rivals?",
            _points_to(-1, lead=5.5),
        ),
    ),
)
