"""linear_attention and favor_features."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from ...models import efficient_attention as reference
from ...models.efficient_attention import linear
from ..core.exercise import Case, Exercise, Mistake
from .watching import without_square


def elu1(x: Tensor) -> Tensor:
    """elu(x) + 1, written here so that a judgement does not depend on the package's copy."""
    return F.elu(x) + 1


def two_relus(x: Tensor) -> Tensor:
    """A feature map twice as wide as its input; a row of q may have no feature in common with any key."""
    return torch.cat([x.relu(), (-x).relu()], dim=-1)


def _linear(
    normaliser: str = "right", own: bool = True, causal_sum: bool = True, on: str = "both", scale: bool = False
) -> Callable:
    def linear_attention(q, k, v, feature_map, causal=False):
        fq = feature_map(q / math.sqrt(q.shape[-1]) if scale else q) if on in ("both", "queries") else q
        fk = feature_map(k) if on in ("both", "keys") else k
        pairs = fq @ fk.transpose(-2, -1)
        whole = pairs.sum(-1, keepdim=True)
        if causal and causal_sum:
            pairs = pairs.tril(0 if own else -1)
        total = pairs.sum(-1, keepdim=True)
        if normaliser == "none":
            return pairs @ v
        if normaliser == "length":
            return pairs @ v / k.shape[-2]
        if normaliser == "whole":
            total = whole
        if normaliser == "softmax":
            seen = torch.ones_like(pairs, dtype=torch.bool).tril() if causal else torch.ones_like(pairs).bool()
            return torch.softmax(pairs.masked_fill(~seen, -math.inf), -1) @ v
        if normaliser == "epsilon":
            return pairs @ v / (total + 1e-6)
        if normaliser == "clamped":
            return pairs @ v / total.clamp(min=1e-6)
        if normaliser == "nan":
            return pairs @ v / total
        empty = total == 0
        return (pairs @ v / total.masked_fill(empty, 1.0)).masked_fill(empty, 0.0)

    return linear_attention


def draw_qkv(draw, *lead: int, t: int = 5, s: int = 7, dtype=torch.float64) -> list[Tensor]:
    """Queries and keys of width 4, values of width 3."""
    shapes = ((*lead, t, 4), (*lead, s, 4), (*lead, s, 3))
    return [draw.normal(*shape, dtype=dtype) for shape in shapes]


def small_features(x: Tensor) -> Tensor:
    """elu(x) + 1 in other units, which normalised weights do not notice."""
    return elu1(x) * 1e-6


def _no_weight(draw) -> list[Tensor]:
    q, k, v = draw_qkv(draw, 2)
    return [-q.abs(), k.abs(), v]


def _with(feature_map: Callable, causal: bool) -> Callable:
    return lambda answer, q, k, v: answer(q, k, v, feature_map, causal)


def _pairs_unless_causal(q, k, v, feature_map, causal=False):
    """Running sums for the causal form, all pairs for the other."""
    if not causal:
        return _linear()(q, k, v, feature_map)
    fq, fk = feature_map(q), feature_map(k)
    weighted = (fq.unsqueeze(-2) @ (fk.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(-3)).squeeze(-2)
    total = (fq * fk.cumsum(-2)).sum(-1, keepdim=True)
    empty = total == 0
    return (weighted / total.masked_fill(empty, 1.0)).masked_fill(empty, 0.0)


LINEAR_ATTENTION = Exercise(
    name="linear_attention",
    points=2,
    reference=reference.linear_attention,
    helpers=(linear._causal_sums,),
    cases=(
        Case("all keys", lambda draw: draw_qkv(draw, 2), call=_with(elu1, False), grad=True),
        Case("causal", lambda draw: draw_qkv(draw, 2, 3, t=6, s=6), call=_with(elu1, True), grad=True),
        Case("wide features", lambda draw: draw_qkv(draw), call=_with(two_relus, False)),
        Case("no weight at all", _no_weight, call=_with(torch.relu, False), grad=True),
        Case("small features", lambda draw: draw_qkv(draw, 2), call=_with(small_features, False)),
        Case("float32", lambda draw: draw_qkv(draw, 2, dtype=torch.float32), call=_with(elu1, False)),
        Case(
            "no T×T tensor",
            lambda draw: [draw.normal(512, 4), draw.normal(512, 4), draw.normal(512, 8)],
            call=lambda answer, q, k, v: without_square(lambda *x: answer(*x, elu1, True), q, k, v),
        ),
        Case(
            "no T×S tensor where all keys are seen",
            lambda draw: [draw.normal(384, 4), draw.normal(512, 4), draw.normal(512, 8)],
            call=lambda answer, q, k, v: without_square(lambda *x: answer(*x, elu1), q, k, v),
        ),
    ),
    mistakes=(
        Mistake(
            "square_where_all_are_seen",
            "without causal the values are right, but you make a tensor with T×S entries. Which two of the three "
            "matrices can be multiplied first?",
            _pairs_unless_causal,
        ),
        Mistake(
            "square",
            "the values are right, but you make a tensor with T×T entries. Which two of the three matrices can be "
            "multiplied first, also as a running sum?",
            _linear(),
        ),
        Mistake(
            "no_normaliser",
            "your weights do not sum to 1: with all values equal to 1 the output should be 1. What is φ(q)·Σφ(k) for?",
            _linear("none"),
        ),
        Mistake(
            "without_the_token_itself",
            "your causal sums stop before the token itself. Which keys are j ≤ t?",
            _linear(own=False),
        ),
        Mistake(
            "nan",
            "where the normaliser is 0 you divide 0 by 0. What should such a row return, also for the gradient?",
            _linear("nan"),
        ),
        Mistake(
            "without_the_token_itself_nan",
            "your causal sums stop before the token itself, and the first one is 0/0. Which keys are j ≤ t?",
            _linear("nan", own=False),
        ),
        Mistake(
            "causal_ignored",
            "with causal=True your queries see all keys. Which sum must be a running one?",
            _linear(causal_sum=False),
        ),
        Mistake(
            "normaliser_over_all_keys",
            "your causal values are running sums, but the normaliser still counts all keys. Which keys do the weights "
            "of query t sum over?",
            _linear("whole"),
        ),
        Mistake(
            "divided_by_the_number_of_keys",
            "you divide by the number of keys. Does that make the weights of a row sum to 1?",
            _linear("length"),
        ),
        Mistake(
            "scaled",
            "your queries are scaled by 1/√D. Does the formula of linear attention have that factor?",
            _linear(scale=True),
        ),
        Mistake(
            "features_of_keys_only",
            "you apply the feature map to the keys only. What does the similarity φ(q)·φ(k) need?",
            _linear(on="keys"),
        ),
        Mistake(
            "features_of_queries_only",
            "you apply the feature map to the queries only. What does the similarity φ(q)·φ(k) need?",
            _linear(on="queries"),
        ),
        Mistake(
            "softmax",
            "you put a softmax over the similarities. What turns φ(q)·φ(k) into weights here?",
            _linear("softmax"),
        ),
        Mistake(
            "epsilon",
            "your normaliser has a small number added, so no row sums to exactly 1. How else can you avoid 0/0?",
            _linear("epsilon"),
        ),
        Mistake(
            "normaliser_clamped",
            "you raise small normalisers to a least value, so rows with small features do not sum to 1. Which single "
            "value of the normaliser needs care?",
            _linear("clamped"),
        ),
    ),
)


def _favor(exponent: Callable, divide: Callable = lambda x, w: math.sqrt(w.shape[0])) -> Callable:
    return lambda x, projection: torch.exp(exponent(x, projection)) / divide(x, projection)


def _half(x):
    return x.square().sum(-1, keepdim=True) / 2


def _stabilised(x, projection):
    dots = x @ projection.T
    return torch.exp(dots - _half(x) - dots.amax(-1, keepdim=True)) / math.sqrt(projection.shape[0])


def _trigonometric(x, projection):
    dots = x @ projection.T
    return torch.exp(_half(x)) * torch.cat([dots.sin(), dots.cos()], -1) / math.sqrt(projection.shape[0])


FAVOR_FEATURES = Exercise(
    name="favor_features",
    points=1,
    reference=reference.favor_features,
    cases=(
        Case("values", lambda draw: [draw.normal(5, 4, scale=0.7), draw.normal(6, 4)], grad=True),
        Case("heads", lambda draw: [draw.normal(2, 3, 5, 4, scale=0.7), draw.normal(9, 4)]),
        Case(
            "float32", lambda draw: [draw.normal(2, 5, 4, dtype=torch.float32), draw.normal(6, 4, dtype=torch.float32)]
        ),
    ),
    mistakes=(
        Mistake(
            "no_square",
            "your features lack −‖x‖²/2. What is the average of exp(w·x) over normal w?",
            _favor(lambda x, w: x @ w.T),
        ),
        Mistake(
            "whole_square",
            "you subtract ‖x‖², twice of what is needed. What is the average of exp(w·x) over normal w?",
            _favor(lambda x, w: x @ w.T - 2 * _half(x)),
        ),
        Mistake(
            "norm_for_square",
            "you subtract the norm of x, not half its square. Which of the two is in the formula?",
            _favor(lambda x, w: x @ w.T - x.norm(dim=-1, keepdim=True) / 2),
        ),
        Mistake(
            "added_square",
            "the square of x has the wrong sign in the exponent. Should a long x make the features larger or smaller?",
            _favor(lambda x, w: x @ w.T + _half(x)),
        ),
        Mistake(
            "square_of_projection",
            "you subtract half the square of the rows of the projection. Whose length must be divided out?",
            _favor(lambda x, w: x @ w.T - _half(w).squeeze(-1)),
        ),
        Mistake(
            "not_divided",
            "your features are not divided by √m, so their dot product grows with m. Is it a sum or a mean over "
            "features?",
            _favor(lambda x, w: x @ w.T - _half(x), lambda x, w: 1.0),
        ),
        Mistake(
            "divided_by_m",
            "you divide each feature by m, so a product of two is divided by m². What should each of the two give?",
            _favor(lambda x, w: x @ w.T - _half(x), lambda x, w: w.shape[0]),
        ),
        Mistake(
            "divided_by_root_of_d",
            "you divide by the square root of the width of x. Over what is the dot product of features a mean?",
            _favor(lambda x, w: x @ w.T - _half(x), lambda x, w: math.sqrt(x.shape[-1])),
        ),
        Mistake(
            "maximum_subtracted",
            "you subtract each row's maximum. In this exercise the features are exactly those of the formula: which "
            "factor is lost for each row?",
            _stabilised,
        ),
        Mistake(
            "trigonometric",
            "your features are sines and cosines, which can be negative. Which features does Performer use?",
            _trigonometric,
        ),
        Mistake(
            "exponent_scaled",
            "your dot products are divided by √D. Does the formula have that factor?",
            _favor(lambda x, w: x @ w.T / math.sqrt(x.shape[-1]) - _half(x)),
        ),
    ),
)
