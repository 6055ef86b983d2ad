"""score_variance and softmax_jacobian_norm."""

from __future__ import annotations

import math

import torch

from ...models import attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _pairs(d_k, num_samples, generator=None):
    q = torch.randn(num_samples, d_k, generator=generator)
    return q, torch.randn(num_samples, d_k, generator=generator)


def _dots(d_k, num_samples, generator=None):
    q, k = _pairs(d_k, num_samples, generator)
    return (q * k).sum(-1)


def _seeded(answer, d_k, num_samples, seed):
    return float(answer(d_k, num_samples, torch.Generator().manual_seed(seed)))


def _mean_of_pairs(answer, d_k, repeats, seed):
    """Variances of two samples: their mean, right only where unbiased, and how many of ten are below 0.1."""
    generator = torch.Generator().manual_seed(seed)
    found = [float(answer(d_k, 2, generator)) for _ in range(repeats)]
    return [sum(found) / repeats, 10 * sum(x < 0.1 for x in found) / repeats]


def _repeats(answer, d_k, num_samples, seed):
    return _seeded(answer, d_k, num_samples, seed) == _seeded(answer, d_k, num_samples, seed)


def _differs(answer, d_k, num_samples, seed):
    return _seeded(answer, d_k, num_samples, seed) != _seeded(answer, d_k, num_samples, seed + 1)


SCORE_VARIANCE = Exercise(
    name="score_variance",
    points=1,
    reference=reference.score_variance,
    cases=(
        # 4,000 samples: the estimate is within 20 % but for one run in 10¹⁵.
        Case("d_k = 64", lambda draw: [64, 4000, draw.integer(0, 2**31)], lambda d, n, s: 64.0, call=_seeded, tol=0.2),
        Case("d_k = 9", lambda draw: [9, 4000, draw.integer(0, 2**31)], lambda d, n, s: 9.0, call=_seeded, tol=0.25),
        # With a single coordinate a key that is drawn once, and not for each query, shows at once.
        Case("d_k = 1", lambda draw: [1, 4000, draw.integer(0, 2**31)], lambda d, n, s: 1.0, call=_seeded, tol=0.3),
        Case(
            "unbiased",
            lambda draw: [1, 3000, draw.integer(0, 2**31)],
            # For d_k = 1 the difference of two scores has a Laplace distribution, so that the second number is known.
            lambda d, n, s: [1.0, 10 * (1 - math.exp(-math.sqrt(0.2)))],
            call=_mean_of_pairs,
            tol=0.12,
        ),
        Case("generator", lambda draw: [4, 20, draw.integer(0, 2**31)], lambda d, n, s: True, call=_repeats),
        Case("another one", lambda draw: [4, 20, draw.integer(0, 2**31)], lambda d, n, s: True, call=_differs),
    ),
    mistakes=(
        Mistake(
            "one_key_for_all",
            "for d_k = 1 your number depends on the draw of a single key. How many keys do num_samples pairs need?",
            lambda d_k, num_samples, generator=None: (
                (torch.randn(num_samples, d_k, generator=generator) @ torch.randn(d_k, 1, generator=generator))
                .var()
                .item()
            ),
        ),
        Mistake(
            "standard_deviation",
            "you return the standard deviation. How is the variance made from it?",
            lambda d_k, num_samples, generator=None: _dots(d_k, num_samples, generator).std().item(),
        ),
        Mistake(
            "about_one",
            "your variance is about 1 for every d_k. Are the scores divided by √d_k already, or are the d_k products "
            "of a pair not summed to one score?",
            lambda d_k, num_samples, generator=None: _dots(d_k, num_samples, generator).var().item() / d_k,
        ),
        Mistake(
            "near_zero",
            "your number is close to 0. Is it the mean of the scores and not their spread, or are the d_k products of "
            "a pair averaged and not summed?",
            lambda d_k, num_samples, generator=None: _dots(d_k, num_samples, generator).var().item() / d_k**2,
        ),
        Mistake(
            "uniform_vectors",
            "your scores spread too little, as if q and k were drawn from 0 to 1. Which function of torch draws "
            "standard normal numbers?",
            lambda d_k, num_samples, generator=None: (
                (torch.rand(num_samples, d_k, generator=generator) * torch.rand(num_samples, d_k, generator=generator))
                .sum(-1)
                .var()
                .item()
            ),
        ),
        Mistake(
            "q_times_q",
            "your scores spread twice as much as they should, as if q and k were the same vector. Are there two "
            "independent draws?",
            lambda d_k, num_samples, generator=None: (
                torch.randn(num_samples, d_k, generator=generator).square().sum(-1).var().item()
            ),
        ),
        Mistake(
            "samples_summed",
            "your number grows with num_samples: the products are summed over the samples. Which axis belongs to the "
            "dot product?",
            lambda d_k, num_samples, generator=None: (
                torch.mul(*_pairs(d_k, num_samples, generator)).sum(0).var().item()
            ),
        ),
        Mistake(
            "biased",
            "your variance is too small for few samples: the sum of squares is divided by their number. What makes it "
            "unbiased?",
            lambda d_k, num_samples, generator=None: _dots(d_k, num_samples, generator).var(correction=0).item(),
        ),
        Mistake(
            "mean_not_subtracted",
            "you return the mean of the squared scores. What does a sample variance subtract from each score before "
            "it squares, and by what is the sum divided?",
            lambda d_k, num_samples, generator=None: _dots(d_k, num_samples, generator).square().mean().item(),
        ),
        Mistake(
            "generator_not_used",
            "two calls with equal generators give different numbers. Do both draws take the generator?",
            lambda d_k, num_samples, generator=None: _dots(d_k, num_samples).var().item(),
        ),
        Mistake(
            "nothing_drawn",
            "two different generators give the same number. Is anything drawn from the one that is given?",
            lambda d_k, num_samples, generator=None: float(d_k),
        ),
    ),
)


def _jacobian(scores: torch.Tensor) -> torch.Tensor:
    p = torch.softmax(scores, 0)
    return torch.diag(p) - torch.outer(p, p)


def _overflowing(scores):
    p = scores.exp() / scores.exp().sum()
    return (torch.diag(p) - torch.outer(p, p)).norm().item()


SOFTMAX_JACOBIAN_NORM = Exercise(
    name="softmax_jacobian_norm",
    points=2,
    reference=reference.softmax_jacobian_norm,
    cases=(
        # First the fresh ones: for two equal scores several wrong norms are the same number.
        Case("fresh scores", lambda draw: [draw.normal(6, scale=1.5)]),
        Case("two equal scores", lambda draw: [torch.zeros(2, dtype=torch.float64)], lambda scores: 0.5),
        Case("scores of ±1000", lambda draw: [torch.tensor([-1000.0, 1000.0, 999.0], dtype=torch.float64)]),
        Case("saturated", lambda draw: [torch.tensor([800.0, 0.0, -800.0])], lambda scores: 0.0),
    ),
    mistakes=(
        Mistake(
            "diagonal_only",
            "you use only the diagonal p_i (1 − p_i). What happens to p_1 when the score of another key rises?",
            lambda scores: _jacobian(scores).diagonal().norm().item(),
        ),
        Mistake(
            "squared",
            "you return the square of the norm. What is the last step of a Frobenius norm?",
            lambda scores: _jacobian(scores).square().sum().item(),
        ),
        Mistake(
            "outer_product_only",
            "the norm of p pᵀ alone is not 0 where softmax is saturated. Which term does p_i have with its own score "
            "s_i?",
            lambda scores: torch.outer(*[torch.softmax(scores, 0)] * 2).norm().item(),
        ),
        Mistake(
            "plus_sign",
            "the diagonal and the product p_i p_j are added. If the score of another key rises, does p_i rise or fall?",
            lambda scores: (torch.diag(p := torch.softmax(scores, 0)) + torch.outer(p, p)).norm().item(),
        ),
        Mistake(
            "norm_of_the_weights",
            "you return the norm of the weights themselves. What is the derivative of p_i with respect to s_j?",
            lambda scores: torch.softmax(scores, 0).norm().item(),
        ),
        Mistake(
            "log_softmax",
            "you differentiate the logarithm of the softmax. Which function's derivative is asked for?",
            lambda scores: (torch.eye(len(scores)) - torch.softmax(scores, 0)).norm().item(),
        ),
        Mistake(
            "sum_of_absolute_values",
            "you add the absolute values of the entries. How does a Frobenius norm add them?",
            lambda scores: _jacobian(scores).abs().sum().item(),
        ),
        Mistake(
            "root_mean_square",
            "you take the mean of the squares before the root. Does a Frobenius norm divide by the number of entries?",
            lambda scores: _jacobian(scores).square().mean().sqrt().item(),
        ),
        Mistake(
            "spectral_norm",
            "you return the largest singular value. Which norm is the square root of the sum of squares of all "
            "entries?",
            lambda scores: torch.linalg.matrix_norm(_jacobian(scores), 2).item(),
        ),
        Mistake(
            "sum_of_entries",
            "you add the entries with their signs, which gives 0 for every softmax. How does a Frobenius norm add "
            "them?",
            lambda scores: _jacobian(scores).sum().item(),
        ),
        Mistake(
            "overflow",
            "for scores of ±1000 your result is NaN: exp overflows. Which function of torch subtracts the maximum "
            "first?",
            _overflowing,
        ),
    ),
)
