"""layer_norm and rms_norm."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ...models.block import parts as reference
from ..core.exercise import Case, Exercise, Mistake

NORM_SHORT_CUTS = ("layer_norm", "native_layer_norm", "rms_norm", "group_norm", "batch_norm", "instance_norm")
NORM_SHORT_CUTS += ("native_group_norm", "native_batch_norm", "_fused_rms_norm")


def _layer(
    axis: int | tuple[int, ...] = -1,
    correction: int = 0,
    eps_outside: bool = False,
    centre: bool = True,
    gain: Callable = lambda w: w,
    shift: Callable = lambda b: b,
    default: float = 1e-5,
    squared: bool = False,
) -> Callable:
    def layer_norm(x, weight, bias, eps=default):
        mean = x.mean(axis, keepdim=True)
        variance = x.var(axis, correction=correction, keepdim=True)
        scale = variance.sqrt() + eps if eps_outside else variance + eps if squared else (variance + eps).sqrt()
        return (x - mean if centre else x) / scale * gain(weight) + shift(bias)

    return layer_norm


def _bias_first(x, weight, bias, eps=1e-5):
    normal = _layer()(x, torch.ones_like(weight), torch.zeros_like(bias), eps)
    return (normal + bias) * weight


def _parameters(draw, width: int, dtype=torch.float64) -> list[torch.Tensor]:
    return [draw.normal(width, dtype=dtype) + 2, draw.normal(width, dtype=dtype)]


# As many positions as features where an axis can be mixed up: the wrong one is then no shape error, but a wrong number.
LAYER_NORM = Exercise(
    name="layer_norm",
    points=1,
    reference=reference.layer_norm,
    forbid=NORM_SHORT_CUTS,
    cases=(
        Case("values", lambda draw: [draw.normal(4, 4, 4) * 3 + 1, *_parameters(draw, 4)], grad=True),
        Case("a large eps", lambda draw: [draw.normal(2, 3, 6), *_parameters(draw, 6), 0.5], grad=True),
        Case("small entries", lambda draw: [draw.normal(2, 3, 6, scale=3e-3), *_parameters(draw, 6)]),
        Case("equal entries", lambda draw: [torch.full((2, 6), 3.0, dtype=torch.float64), *_parameters(draw, 6)]),
        Case("one vector", lambda draw: [draw.normal(5), *_parameters(draw, 5)]),
        Case("float32", lambda draw: [draw.normal(2, 3, 6, dtype=torch.float32), *_parameters(draw, 6, torch.float32)]),
    ),
    mistakes=(
        Mistake(
            "unbiased_variance",
            "you divide the sum of squares by C − 1. Is this an estimate from a sample, or the variance of these C "
            "numbers?",
            _layer(correction=1),
        ),
        Mistake(
            "over_the_sequence",
            "you take mean and variance over the positions (axis −2). Which axis holds the entries of one token?",
            _layer(axis=-2),
        ),
        Mistake(
            "axis_lost",
            "mean and variance have lost the last axis, so each token meets the numbers of other tokens. Which "
            "argument of mean keeps the axis?",
            lambda x, w, b, eps=1e-5: (x - x.mean(-1)) / (x.var(-1, correction=0) + eps).sqrt() * w + b,
        ),
        Mistake(
            "axis_lost_and_unbiased",
            "mean and variance have lost the last axis, and you divide by C − 1. Which argument of mean keeps the "
            "axis, and which one of var sets what is subtracted from C?",
            lambda x, w, b, eps=1e-5: (x - x.mean(-1)) / (x.var(-1) + eps).sqrt() * w + b,
        ),
        Mistake(
            "over_the_batch",
            "you take mean and variance over the samples, as batch normalisation does. May a sample change its "
            "neighbours?",
            _layer(axis=0),
        ),
        Mistake(
            "over_two_axes",
            "you normalise all positions of a sample together. How many means does a sequence of n tokens have?",
            lambda x, weight, bias, eps=1e-5: _layer(axis=(-2, -1) if x.ndim > 1 else -1)(x, weight, bias, eps),
        ),
        Mistake(
            "eps_outside_the_root",
            "you add eps to the standard deviation. Where does it stand in the formula: before or after the root?",
            _layer(eps_outside=True),
        ),
        Mistake(
            "unbiased_and_eps_outside",
            "you divide by C − 1 and add eps to the standard deviation: two things are off. What does the formula say "
            "about both?",
            _layer(correction=1, eps_outside=True),
        ),
        Mistake(
            "mean_not_removed",
            "your vectors keep their mean. What is subtracted before the division?",
            _layer(centre=False),
        ),
        Mistake(
            "variance_for_deviation",
            "you divide by the variance. By what must a vector be divided so that its variance is 1?",
            _layer(squared=True),
        ),
        Mistake("no_gain", "weight changes nothing in your result. Where is it multiplied?", _layer(gain=lambda w: 1)),
        Mistake("no_bias", "bias changes nothing in your result. Where is it added?", _layer(shift=lambda b: 0)),
        Mistake(
            "bias_before_gain",
            "your bias is multiplied by the weight too. Which of the two comes last?",
            _bias_first,
        ),
        Mistake(
            "gain_around_one",
            "you multiply by 1 + weight. Which value of weight must leave the normalised vector as it is?",
            _layer(gain=lambda w: 1 + w),
        ),
        Mistake(
            "no_eps",
            "eps changes nothing in your result, so equal entries give 0/0. Where is it added?",
            lambda x, weight, bias, eps=1e-5: _layer()(x, weight, bias, 0.0),
        ),
        Mistake(
            "other_default",
            "your values are right when eps is given, but your own eps is not 1e-5. What does the signature say?",
            _layer(default=1e-6),
        ),
    ),
)


def _rms(
    axis: int = -1,
    centre: bool = False,
    size: Callable = lambda x, axis, eps: (x.square().mean(axis, keepdim=True) + eps).sqrt(),
    gain: Callable = lambda w: w,
    default: float = 1e-6,
) -> Callable:
    def rms_norm(x, weight, eps=default):
        x = x - x.mean(axis, keepdim=True) if centre else x
        return x / size(x, axis, eps) * gain(weight)

    return rms_norm


RMS_NORM = Exercise(
    name="rms_norm",
    points=1,
    reference=reference.rms_norm,
    forbid=NORM_SHORT_CUTS,
    cases=(
        Case("values", lambda draw: [draw.normal(4, 4, 4) + 1, draw.normal(4)], grad=True),
        Case("a large eps", lambda draw: [draw.normal(2, 3, 6), draw.normal(6), 0.5], grad=True),
        Case("small entries", lambda draw: [draw.normal(2, 3, 6, scale=1e-3), draw.normal(6)]),
        Case("zeros", lambda draw: [torch.zeros(2, 6, dtype=torch.float64), draw.normal(6)]),
        Case("one vector", lambda draw: [draw.normal(5), draw.normal(5)]),
        Case("float32", lambda draw: [draw.normal(2, 6, dtype=torch.float32), draw.normal(6, dtype=torch.float32)]),
    ),
    mistakes=(
        Mistake(
            "mean_removed",
            "you subtract the mean first, as LayerNorm does. What is the one step that RMSNorm leaves out?",
            _rms(centre=True),
        ),
        Mistake(
            "eps_outside_the_root",
            "you add eps after the root. Where does it stand in the formula?",
            _rms(size=lambda x, axis, eps: x.square().mean(axis, keepdim=True).sqrt() + eps),
        ),
        Mistake(
            "divided_by_one_less",
            "you divide the sum of squares by C − 1. Over how many numbers is the mean taken?",
            _rms(size=lambda x, axis, eps: (x.square().sum(axis, keepdim=True) / (x.shape[axis] - 1) + eps).sqrt()),
        ),
        Mistake(
            "no_root",
            "you divide by the mean square. Which letter of RMS is missing?",
            _rms(size=lambda x, axis, eps: x.square().mean(axis, keepdim=True) + eps),
        ),
        Mistake(
            "sum_for_mean",
            "you divide by the length of the vector: your result shrinks as C grows. Which letter of RMS is missing?",
            _rms(size=lambda x, axis, eps: (x.square().sum(axis, keepdim=True) + eps).sqrt()),
        ),
        Mistake(
            "standard_deviation",
            "you divide by the standard deviation, which takes the mean off inside. What is the mean of the squares "
            "themselves?",
            _rms(size=lambda x, axis, eps: (x.var(axis, correction=0, keepdim=True) + eps).sqrt()),
        ),
        Mistake(
            "over_the_sequence",
            "you take the mean square over the positions (axis −2). Which axis holds the entries of one token?",
            _rms(axis=-2),
        ),
        Mistake(
            "axis_lost",
            "the mean square has lost the last axis, so each token is divided by other tokens' numbers. Which argument "
            "of mean keeps the axis?",
            lambda x, weight, eps=1e-6: x / (x.square().mean(-1) + eps).sqrt() * weight,
        ),
        Mistake("no_gain", "weight changes nothing in your result. Where is it multiplied?", _rms(gain=lambda w: 1)),
        Mistake(
            "gain_around_one",
            "you multiply by 1 + weight. Which value of weight must leave the normalised vector as it is?",
            _rms(gain=lambda w: 1 + w),
        ),
        Mistake(
            "no_eps",
            "eps changes nothing in your result, so a zero vector gives 0/0. Where is it added?",
            lambda x, weight, eps=1e-6: _rms()(x, weight, 0.0),
        ),
        Mistake(
            "other_default",
            "your values are right when eps is given, but your own eps is not 1e-6. What does the signature say?",
            _rms(default=1e-5),
        ),
    ),
)
