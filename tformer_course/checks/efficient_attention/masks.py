"""sliding_window_mask, longformer_mask and bigbird_mask."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ..core.exercise import Case, Exercise, Mistake


def _back(n: int) -> Tensor:
    return torch.arange(n)[:, None] - torch.arange(n)  # (n, n), how far key j lies before query i


def _window(causal_rule: Callable, two_sided_rule: Callable) -> Callable:
    def sliding_window_mask(n, window, causal=True):
        return (causal_rule if causal else two_sided_rule)(_back(n), window)

    return sliding_window_mask


def _causal(back, w):
    return (back >= 0) & (back < w)


def _two_sided(back, w):
    return back.abs() <= w // 2


def _blocks(n, window, causal=True):
    block = torch.arange(n) // window
    same = block[:, None] == block
    return same & (_back(n) >= 0) if causal else same


SLIDING_WINDOW_MASK = Exercise(
    name="sliding_window_mask",
    points=0.5,
    reference=reference.sliding_window_mask,
    cases=(
        Case("causal, 9 tokens, window 6", lambda draw: [9, 6]),
        Case("two-sided, window 4", lambda draw: [9, 4, False]),
        Case("two-sided, window 5", lambda draw: [11, 5, False]),
        Case("window of one", lambda draw: [6, 1]),
        Case("window wider than the text", lambda draw: [5, draw.integer(6, 20)]),
        Case("fresh sizes", lambda draw: [draw.integer(12, 30), draw.integer(2, 9)]),
    ),
    mistakes=(
        Mistake(
            "off_by_one",
            "your causal rows see one key too many. The query itself counts: how many positions are 0 ≤ i − j < "
            "window?",
            _window(lambda b, w: (b >= 0) & (b <= w), _two_sided),
        ),
        Mistake(
            "one_too_few",
            "your causal rows see one key too few. The query itself counts as one of the window: which is the last?",
            _window(lambda b, w: (b >= 0) & (b < w - 1), _two_sided),
        ),
        Mistake(
            "half_window",
            "your causal rows reach back half a window only. Where does window // 2 stand in the docstring?",
            _window(lambda b, w: (b >= 0) & (b <= w // 2), _two_sided),
        ),
        Mistake(
            "not_causal",
            "with causal=True your rows see keys that follow the query. Which sign of i − j is the future?",
            _window(lambda b, w: b.abs() < w, _two_sided),
        ),
        Mistake(
            "causal_ignored",
            "you return the two-sided window for causal=True as well. What does the third argument decide?",
            _window(_two_sided, _two_sided),
        ),
        Mistake(
            "always_causal",
            "you return the causal window for causal=False as well. What does the third argument decide?",
            _window(_causal, _causal),
        ),
        Mistake(
            "two_sided_too_wide",
            "your two-sided window reaches `window` to each side. How far does it reach in the docstring?",
            _window(_causal, lambda b, w: b.abs() < w),
        ),
        Mistake(
            "two_sided_whole_window",
            "your two-sided window reaches `window` to each side, and that inclusive. How far does it reach in the "
            "docstring?",
            _window(_causal, lambda b, w: b.abs() <= w),
        ),
        Mistake(
            "two_sided_too_narrow",
            "your two-sided window ends one position early on each side. Is |i − j| = window // 2 inside?",
            _window(_causal, lambda b, w: b.abs() < max(w // 2, 1)),
        ),
        Mistake(
            "ahead",
            "your rows see themselves and what follows, not what came before. Row i is the query: is j ≤ i above or "
            "below the diagonal?",
            _window(lambda b, w: (b <= 0) & (b > -w), _two_sided),
        ),
        Mistake(
            "blocks",
            "your windows are fixed blocks, so a token at the start of a block sees no neighbour before it. The window "
            "slides: where does it start for query i?",
            _blocks,
        ),
        Mistake(
            "inverted",
            "your True marks what must be hidden. In this course, what does True mean?",
            _window(lambda b, w: ~_causal(b, w), lambda b, w: ~_two_sided(b, w)),
        ),
        Mistake(
            "not_boolean",
            "the ones stand in the right places, but the mask is made of numbers. Which dtype has True and False?",
            _window(lambda b, w: _causal(b, w).float(), lambda b, w: _two_sided(b, w).float()),
        ),
        Mistake(
            "integers",
            "the ones stand in the right places, but they are integers, and ~1 is −2. Which dtype has True and False?",
            _window(lambda b, w: _causal(b, w).long(), lambda b, w: _two_sided(b, w).long()),
        ),
    ),
)


def _longformer(rows: bool = True, columns: bool = True, base: Callable = _two_sided) -> Callable:
    def longformer_mask(n, window, global_positions):
        mask = base(_back(n), window)
        chosen = torch.as_tensor(global_positions, dtype=torch.long)
        if rows:
            mask[chosen] = True
        if columns:
            mask[:, chosen] = True
        return mask

    return longformer_mask


def _counted_from_the_start(n, window, global_positions):
    return _longformer()(n, window, range(len(global_positions)))


def _only_each_other(n, window, global_positions):
    mask = _two_sided(_back(n), window)
    chosen = torch.as_tensor(global_positions, dtype=torch.long)
    mask[chosen[:, None], chosen] = True
    return mask


LONGFORMER_MASK = Exercise(
    name="longformer_mask",
    points=0.5,
    reference=reference.longformer_mask,
    cases=(
        Case("two global tokens", lambda draw: [10, 3, [4, 9]]),
        Case("a tensor of positions", lambda draw: [12, 4, draw.permutation(12)[:3]]),
        Case("no global token", lambda draw: [8, 4, []]),
    ),
    mistakes=(
        Mistake(
            "global_rows_only",
            "your global tokens read all, but the others do not see them. Global attention goes both ways: which axis "
            "is missing?",
            _longformer(columns=False),
        ),
        Mistake(
            "global_columns_only",
            "all see your global tokens, but these see only their window. Global attention goes both ways: which axis "
            "is missing?",
            _longformer(rows=False),
        ),
        Mistake(
            "only_each_other",
            "your global tokens see each other only. With which keys does a global token exchange something?",
            _only_each_other,
        ),
        Mistake(
            "no_window",
            "only the global rows and columns are open in your mask. What do all other pairs see?",
            _longformer(base=lambda b, w: torch.zeros_like(b, dtype=torch.bool)),
        ),
        Mistake(
            "causal_window",
            "your window looks back only. Which `causal` does the docstring name?",
            _longformer(base=_causal),
        ),
        Mistake(
            "window_too_wide",
            "your window reaches `window` to each side. How far does sliding_window_mask(…, causal=False) reach?",
            _longformer(base=lambda b, w: b.abs() < w),
        ),
        Mistake(
            "window_to_each_side",
            "your window reaches `window` to each side, and that inclusive. How far does "
            "sliding_window_mask(…, causal=False) reach?",
            _longformer(base=lambda b, w: b.abs() <= w),
        ),
        Mistake(
            "global_positions_forgotten",
            "your mask is the window alone. What do global_positions add?",
            _longformer(rows=False, columns=False),
        ),
        Mistake(
            "counted_from_the_start",
            "your first tokens are global, however the positions are given. What do the numbers in global_positions "
            "stand for?",
            _counted_from_the_start,
        ),
        Mistake(
            "causal_at_the_end",
            "the future is cut off in your mask. Longformer is an encoder: may token i see token j > i inside its "
            "window?",
            lambda n, window, global_positions: _longformer()(n, window, global_positions) & (_back(n) >= 0),
        ),
    ),
)


def random_part(mask: Tensor, window: int, num_global: int) -> Tensor:
    """The entries of a BigBird mask that neither the window nor the global tokens explain."""
    n = mask.shape[0]
    base = _two_sided(_back(n), window)
    base[: min(num_global, n)] = True
    base[:, : min(num_global, n)] = True
    return mask & ~base


def describe_bigbird(mask: Tensor, n: int, window: int, num_global: int, num_random: int) -> dict[str, str]:
    """What is right and wrong in a random mask, in words that do not depend on the draws."""
    if not isinstance(mask, Tensor) or mask.shape != (n, n) or mask.dtype is not torch.bool:
        return {"form": f"{getattr(mask, 'dtype', type(mask).__name__)} {tuple(getattr(mask, 'shape', ()))}"}
    random = random_part(mask, window, num_global)
    base = _longformer()(n, window, range(min(num_global, n)))
    counts, free = random.sum(1)[num_global:], (~base).sum(1)[num_global:]
    wanted = free.clamp(max=num_random)
    rows = "short" if (counts < wanted).any() else "over" if (counts > wanted).any() else "right"
    mirrored = bool(random.any()) and torch.equal(random, random.T)
    used = int(random.any(0).sum())
    return {
        "window": "whole" if mask[_two_sided(_back(n), window)].all() else "holes",
        "global rows": "whole" if mask[:num_global].all() else "holes",
        "global columns": "whole" if mask[:, :num_global].all() else "holes",
        "keys per row": rows,
        "mirrored": "yes" if mirrored else "no",
        "columns": "none" if not used else "few" if used < n / 2 else "many",
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
        base = (_causal if causal else _two_sided)(_back(n), window)
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
