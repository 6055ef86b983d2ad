"""bigbird_mask: a random answer, so the check compares what is said about it."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ..core.exercise import Case, Exercise, Mistake
from .masks import both_sides, build_longformer, one_side, positions_back, random_part


def dependence(mask: Tensor, window: int, num_global: int) -> str:
    """How the random keys of a mask depend on each other: "in runs", "at the same distances in all rows", or "".

    By chance alone, either happens in far fewer than half of the rows.
    """
    n, random = mask.shape[0], random_part(mask, window, num_global)
    hidden = ~build_longformer()(n, window, range(min(num_global, n)))
    runs, distances = 0, torch.zeros(n, dtype=torch.long)
    rows = random.any(1).nonzero().squeeze(1).tolist()
    for i in rows:
        at = random[i][hidden[i]].nonzero().squeeze(1)  # places in the list of this row's hidden keys
        size = int(hidden[i].sum())
        gaps = torch.cat([at.diff(), at[:1] + size - at[-1:]])  # in a circle
        runs += 1 < len(at) < size - 1 and int(gaps.max()) == size - len(at) + 1
        distances[(random[i].nonzero().squeeze(1) - i) % n] += 1
    if runs > len(rows) / 2:
        return "in runs"
    return "at the same distances in all rows" if rows and int(distances.max()) > len(rows) / 2 else ""


def describe_bigbird(mask: Tensor, n: int, window: int, num_global: int, num_random: int) -> dict[str, str]:
    """What is right and wrong in a random mask, in words that do not depend on the draws."""
    if not isinstance(mask, Tensor) or mask.shape != (n, n) or mask.dtype is not torch.bool:
        return {"form": f"{getattr(mask, 'dtype', type(mask).__name__)} {tuple(getattr(mask, 'shape', ()))}"}
    random = random_part(mask, window, num_global)
    base = build_longformer()(n, window, range(min(num_global, n)))
    counts, free = random.sum(1)[num_global:], (~base).sum(1)[num_global:]
    wanted = free.clamp(max=num_random)
    rows = "short" if (counts < wanted).any() else "over" if (counts > wanted).any() else "right"
    mirrored = bool(random.any()) and torch.equal(random, random.T)
    used = int(random.any(0).sum())
    return {
        "window": "whole" if mask[both_sides(positions_back(n), window)].all() else "holes",
        "global rows": "whole" if mask[:num_global].all() else "holes",
        "global columns": "whole" if mask[:, :num_global].all() else "holes",
        "keys per row": rows,
        "mirrored": "yes" if mirrored else "no",
        "columns": "none" if not used else "few" if used < n / 2 else "many",
        "dependence": dependence(mask, window, num_global),
        "before the query": "all" if bool(random.any()) and not random.triu(1).any() else "some",
    }


def _described(answer: Callable, n: int, window: int, num_global: int, num_random: int, seed: int) -> dict:
    first = answer(n, window, num_global, num_random, torch.Generator().manual_seed(seed))
    again = answer(n, window, num_global, num_random, generator=torch.Generator().manual_seed(seed))
    other = answer(n, window, num_global, num_random, generator=torch.Generator().manual_seed(seed + 1))
    said = describe_bigbird(first, n, window, num_global, num_random)
    said["same seed"] = "same mask" if torch.equal(first, again) else "another mask"
    said["other seed"] = "same mask" if torch.equal(first, other) else "another mask"
    return said


def _bigbird(draw_row: str = "right", mirror: bool = False, rows: bool = True, columns: bool = True, causal=False):
    def bigbird_mask(n, window, num_global, num_random, generator=None):
        base = (one_side if causal else both_sides)(positions_back(n), window)
        if rows:
            base[:num_global] = True
        if columns:
            base[:, :num_global] = True
        if draw_row == "own generator":
            generator = torch.Generator().manual_seed(0)
        if draw_row == "global generator":
            generator = None
        mask, order = base.clone(), torch.randperm(n, generator=generator)
        for i in range(num_global, n):
            if draw_row == "none":
                break
            free = (~base[i]).nonzero().squeeze(1)
            if draw_row == "visible too":
                keys = torch.randperm(n, generator=generator)[:num_random]
            elif draw_row == "shared":
                keys = order[:num_random]
            elif draw_row == "shared order":
                keys = order[~base[i][order]][:num_random]
            elif draw_row == "with replacement":
                keys = free[torch.randint(len(free), (num_random,), generator=generator)] if len(free) else free
            elif draw_row == "nearest":
                keys = free[(free - i).abs().argsort()][:num_random]
            elif draw_row == "past":
                free = free[free < i]
                keys = free[torch.randperm(len(free), generator=generator)[:num_random]]
            elif draw_row == "run":
                start = int(torch.randint(max(1, len(free)), (1,), generator=generator))
                keys = free.roll(-start)[:num_random]
            elif draw_row == "shifted":
                keys = free[order[(free - i) % n].argsort()][:num_random]
            elif draw_row == "one more":
                keys = free[torch.randperm(len(free), generator=generator)[: num_random + 1]]
            else:
                keys = free[torch.randperm(len(free), generator=generator)[:num_random]]
            mask[i, keys] = True
        return mask | mask.T if mirror else mask

    return bigbird_mask


BIGBIRD_MASK = Exercise(
    name="bigbird_mask",
    points=1.5,
    reference=reference.bigbird_mask,
    cases=(
        Case("pattern", lambda draw: [60, 5, 2, 3, draw.integer(0, 10**6)], call=_described),
        Case(
            "too few keys left", lambda draw: [6, 3, 1, 9], lambda *_: torch.ones(6, 6).bool(), call=lambda f, *x: f(*x)
        ),
        Case("no random keys", lambda draw: [12, 4, 2, 0]),
    ),
    mistakes=(
        Mistake(
            "repeats_visible",
            "some rows get fewer new keys than num_random. Are yours new to the row, and different from each other: "
            "from which set should a row draw?",
            _bigbird("visible too"),
        ),
        Mistake(
            "mirrored",
            "your random keys are mirrored: where i sees j, j sees i. For whom is a random key drawn?",
            _bigbird(mirror=True),
        ),
        Mistake(
            "same_for_every_row",
            "all rows see the same few random keys. How often must you draw?",
            _bigbird("shared order"),
        ),
        Mistake(
            "same_and_repeated",
            "all rows see the same few random keys, and some of these they see already. How often must you draw, and "
            "from which set?",
            _bigbird("shared"),
        ),
        Mistake(
            "in_runs",
            "the random keys of a row lie side by side. How many draws does a row need?",
            _bigbird("run"),
        ),
        Mistake(
            "same_distances",
            "your rows all see keys at the same distances: it is one draw, shifted. How often must you draw?",
            _bigbird("shifted"),
        ),
        Mistake(
            "no_random_keys",
            "there is nothing random in your mask: it is Longformer's. What does num_random ask for?",
            _bigbird("none"),
        ),
        Mistake(
            "global_rows_only",
            "the other rows do not see your global tokens. Global attention goes both ways: which axis is missing?",
            _bigbird(columns=False),
        ),
        Mistake(
            "global_columns_only",
            "your global tokens do not read everything. Global attention goes both ways: which axis is missing?",
            _bigbird(rows=False),
        ),
        Mistake(
            "causal_window",
            "your window has holes: it looks back only. BigBird is an encoder: which `causal` does the docstring name?",
            _bigbird(causal=True),
        ),
        Mistake(
            "only_the_past",
            "your random keys all lie before the query. Which keys may a row of an encoder draw?",
            _bigbird("past"),
        ),
        Mistake(
            "one_more",
            "your rows see more random keys than num_random. How many does the docstring ask for?",
            _bigbird("one more"),
        ),
        Mistake(
            "generator_ignored",
            "the same generator gives two different masks. Which argument of torch's random functions takes it?",
            _bigbird("global generator"),
        ),
        Mistake(
            "always_the_same",
            "two generators with different seeds give the same mask. Where do your draws come from?",
            _bigbird("own generator"),
        ),
    ),
)
