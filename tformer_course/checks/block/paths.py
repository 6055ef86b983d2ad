"""drop_path."""

from __future__ import annotations

from collections.abc import Callable

import torch

from ...models.block import parts as reference
from ..core.exercise import Case, Exercise, Mistake

CALLS, SAMPLES = 60, 50


def _shares(answer, p, seed):
    """How a branch of ones comes out of many calls: shares of samples, and the value of what is kept."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.ones(SAMPLES, 3, 4, dtype=torch.float64)
    outs = [answer(x, p, True, generator) for _ in range(CALLS)]
    y = torch.stack(outs)  # (calls, B, T, C)
    zero = y == 0
    sample = zero.flatten(2)
    dropped = sample.all(-1)
    kept = y[~zero]
    return {
        "samples dropped as a whole": dropped.double().mean().item(),
        "samples dropped in part": (sample.any(-1) & ~dropped).double().mean().item(),
        "tokens dropped in part": (zero.any(-1) & ~zero.all(-1)).double().mean().item(),
        "batches of one fate": (dropped.all(-1) | ~sample.any(-1).any(-1)).double().mean().item(),
        "value of what is kept": kept.mean().item() if len(kept) else 0.0,
    }


def _want(p: float) -> Callable:
    return lambda *a: {
        "samples dropped as a whole": p,
        "samples dropped in part": 0.0,
        "tokens dropped in part": 0.0,
        "batches of one fate": 0.0,
        "value of what is kept": 1 / (1 - p),
    }


def _repeats(answer, x, p, seed):
    """Equal generators give equal coins, and the global generator does not matter."""
    one = answer(x, p, True, torch.Generator().manual_seed(seed))
    torch.rand(3)
    return torch.equal(one, answer(x, p, True, torch.Generator().manual_seed(seed)))


def in_turn(answer, x, seed) -> list[bool]:
    """Whether two calls without a generator, one after the other or from the same state, drop the same samples."""
    torch.manual_seed(seed)
    first, second = (answer(x, 0.5, True) == 0 for _ in range(2))
    torch.manual_seed(seed)
    return [torch.equal(first, second), torch.equal(first, answer(x, 0.5, True) == 0)]


def _leftover(answer, x, seed):
    """What is left when what was kept is taken off at twice its size: nothing, also in the gradient."""
    y = answer(x, 0.5, True, torch.Generator().manual_seed(seed))
    return y - x * (y.detach() != 0) * 2.0


def _counts(answer, seed):
    """Whether the number of samples that are dropped differs from call to call, with a generator for each."""
    x = torch.ones(8, 2, dtype=torch.float64)
    seeds = range(seed, seed + 60)
    return len({int((answer(x, 0.5, True, torch.Generator().manual_seed(s)) == 0).all(1).sum()) for s in seeds}) > 1


def _dropped(
    shape: Callable = lambda x: (x.shape[0],) + (1,) * (x.ndim - 1),
    p_of: Callable[[float], float] = lambda p: p,
    scale: Callable[[float], float] = lambda p: 1 / (1 - p) if p < 1 else 0.0,
    off: Callable = lambda x, p: x,
    seeded: bool = True,
    nan: bool = False,
) -> Callable:
    def drop_path(x, p, training, generator=None):
        if not training:
            return off(x, p)
        coins = torch.rand(shape(x), generator=generator if seeded else None)
        kept = (coins >= p_of(p)).to(x.dtype)
        return x * kept / (1 - p) if nan else x * kept * scale(p)

    return drop_path


def _fixed_share(x, p, training, generator=None):
    if not training:
        return x
    order = torch.randperm(x.shape[0], generator=generator)
    kept = (order >= round(p * x.shape[0])).to(x.dtype).view(-1, *[1] * (x.ndim - 1))
    return x * kept * (1 / (1 - p) if p < 1 else 0.0)


def _own_seed(x, p, training, generator=None):
    return _dropped()(x, p, training, torch.Generator().manual_seed(0))


def _same_coins(x, p, training, generator=None):
    return _dropped()(x, p, training, generator or torch.Generator().manual_seed(0))


DROP_PATH = Exercise(
    name="drop_path",
    points=1,
    reference=reference.drop_path,
    cases=(
        # 3,000 samples: a share is within 0.05 but for one run in 10⁸, and these seeds are fixed.
        Case("p = 0.3", lambda draw: [0.3, draw.integer(0, 2**31)], _want(0.3), call=_shares, tol=0.05),
        Case("p = 0.6", lambda draw: [0.6, draw.integer(0, 2**31)], _want(0.6), call=_shares, tol=0.05),
        Case("evaluation", lambda draw: [draw.normal(3, 4, 2), 0.5, False], lambda x, p, t: x, grad=True),
        Case("p = 0", lambda draw: [draw.normal(3, 4), 0.0, True], lambda x, p, t: x, grad=True),
        Case("p = 1", lambda draw: [draw.normal(3, 4, 2), 1.0, True], lambda x, p, t: torch.zeros_like(x)),
        Case(
            "generator",
            lambda draw: [draw.normal(40, 2), 0.5, draw.integer(0, 2**31)],
            lambda *a: True,
            call=_repeats,
        ),
        Case("left to chance", lambda draw: [draw.integer(0, 2**31)], lambda *a: True, call=_counts),
        Case("no generator", lambda draw: [draw.normal(200, 2), 5], lambda *a: [False, True], call=in_turn),
        Case(
            "kept samples are scaled",
            lambda draw: [draw.normal(30, 2, 3, 2), draw.integer(0, 2**31)],
            lambda x, seed: 0 * x,
            call=_leftover,
            grad=True,
        ),
        Case(
            "float32",
            lambda draw: [draw.normal(3, 4, dtype=torch.float32), 1.0, True],
            lambda x, p, t: torch.zeros_like(x),
        ),
    ),
    mistakes=(
        Mistake(
            "fixed_share",
            "the same number of samples is dropped in every call. Does each sample flip a coin of its own?",
            _fixed_share,
        ),
        Mistake(
            "the_same_coins",
            "without a generator two calls drop the same samples: a seed is set anew each time. Who sets a seed?",
            _same_coins,
        ),
        Mistake(
            "own_seed",
            "other generators drop the same samples: your coins have a seed of their own. Where do they come from?",
            _own_seed,
        ),
        Mistake(
            "detached",
            "the values are right, but no gradient reaches x. What does a kept sample pass back?",
            lambda x, p, training, generator=None: _dropped()(x.detach(), p, training, generator),
        ),
        Mistake(
            "per_element",
            "each number has its own coin: that is ordinary dropout. How many coins does a sample get?",
            _dropped(shape=lambda x: x.shape),
        ),
        Mistake(
            "per_token",
            "each token has its own coin. How many coins does a sample get?",
            _dropped(shape=lambda x: (*x.shape[:-1], 1)),
        ),
        Mistake(
            "per_feature",
            "each feature has its own coin, for the whole batch. Along which axis do the coins differ?",
            _dropped(shape=lambda x: (1,) * (x.ndim - 1) + (x.shape[-1],)),
        ),
        Mistake(
            "one_coin_for_the_batch",
            "the whole batch shares one coin. Along which axis should the coins differ?",
            _dropped(shape=lambda x: (1,) * x.ndim),
        ),
        Mistake(
            "not_rescaled",
            "what is kept keeps its size, so on average the branch shrinks to 1 − p. By what must it be divided?",
            _dropped(scale=lambda p: 1.0 if p < 1 else 0.0),
        ),
        Mistake(
            "divided_by_p",
            "you divide by p. What is the probability that a sample is kept?",
            _dropped(scale=lambda p: 1 / p if 0 < p < 1 else 1.0),
        ),
        Mistake(
            "p_is_kept",
            "you keep a sample with probability p. What does p stand for here?",
            _dropped(p_of=lambda p: 1 - p, scale=lambda p: 1 / p if p > 0 else 0.0),
        ),
        Mistake(
            "p_is_kept_but_scaled",
            "you keep a sample with probability p, and divide by 1 − p. What does p stand for here?",
            _dropped(p_of=lambda p: 1 - p),
        ),
        Mistake(
            "multiplied",
            "you multiply what is kept by 1 − p. Should it become larger or smaller, so that the mean stays?",
            _dropped(scale=lambda p: 1 - p),
        ),
        Mistake(
            "drops_in_evaluation",
            "your branch is dropped in evaluation too. When should x come back as it is?",
            lambda x, p, training, generator=None: _dropped()(x, p, True, generator),
        ),
        Mistake(
            "scaled_in_evaluation",
            "in evaluation you multiply by 1 − p. Training kept the expectation already: what is left to do?",
            _dropped(off=lambda x, p: x * (1 - p)),
        ),
        Mistake(
            "nan_at_one",
            "p = 1 gives NaN: 0 divided by 0. What should come out when every sample is dropped?",
            _dropped(nan=True),
        ),
        Mistake(
            "generator_not_used",
            "two calls with equal generators drop different samples. Do your coins take the generator?",
            _dropped(seeded=False),
        ),
    ),
)
