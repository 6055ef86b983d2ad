"""sliding_window_mask and longformer_mask, and what the check of bigbird_mask shares with them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ..core.exercise import Case, Exercise, Mistake


def positions_back(n: int) -> Tensor:
    """`(n, n)`: how far key j lies before query i."""
    return torch.arange(n)[:, None] - torch.arange(n)


def _window(causal_rule: Callable, two_sided_rule: Callable) -> Callable:
    def sliding_window_mask(n, window, causal=True):
        return (causal_rule if causal else two_sided_rule)(positions_back(n), window)

    return sliding_window_mask


def one_side(back, w):
    """The causal window."""
    return (back >= 0) & (back < w)


def both_sides(back, w):
    """The two-sided window."""
    return back.abs() <= w // 2


def _blocks(n, window, causal=True):
    block = torch.arange(n) // window
    same = block[:, None] == block
    return same & (positions_back(n) >= 0) if causal else same


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
            _window(lambda b, w: (b >= 0) & (b <= w), both_sides),
        ),
        Mistake(
            "one_too_few",
            "your causal rows see one key too few. The query itself counts as one of the window: which is the last?",
            _window(lambda b, w: (b >= 0) & (b < w - 1), both_sides),
        ),
        Mistake(
            "half_window",
            "your causal rows reach back half a window only. Where does window // 2 stand in the docstring?",
            _window(lambda b, w: (b >= 0) & (b <= w // 2), both_sides),
        ),
        Mistake(
            "not_causal",
            "with causal=True your rows see keys that follow the query. Which sign of i − j is the future?",
            _window(lambda b, w: b.abs() < w, both_sides),
        ),
        Mistake(
            "causal_ignored",
            "you return the two-sided window for causal=True as well. What does the third argument decide?",
            _window(both_sides, both_sides),
        ),
        Mistake(
            "always_causal",
            "you return the causal window for causal=False as well. What does the third argument decide?",
            _window(one_side, one_side),
        ),
        Mistake(
            "two_sided_too_wide",
            "your two-sided window reaches `window` to each side. How far does it reach in the docstring?",
            _window(one_side, lambda b, w: b.abs() < w),
        ),
        Mistake(
            "two_sided_whole_window",
            "your two-sided window reaches `window` to each side, and that inclusive. How far does it reach in the "
            "docstring?",
            _window(one_side, lambda b, w: b.abs() <= w),
        ),
        Mistake(
            "two_sided_too_narrow",
            "your two-sided window ends one position early on each side. Is |i − j| = window // 2 inside?",
            _window(one_side, lambda b, w: b.abs() < max(w // 2, 1)),
        ),
        Mistake(
            "ahead",
            "your rows see themselves and what follows, not what came before. Row i is the query: is j ≤ i above or "
            "below the diagonal?",
            _window(lambda b, w: (b <= 0) & (b > -w), both_sides),
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
            _window(lambda b, w: ~one_side(b, w), lambda b, w: ~both_sides(b, w)),
        ),
        Mistake(
            "not_boolean",
            "the ones stand in the right places, but the mask is made of numbers. Which dtype has True and False?",
            _window(lambda b, w: one_side(b, w).float(), lambda b, w: both_sides(b, w).float()),
        ),
        Mistake(
            "integers",
            "the ones stand in the right places, but they are integers, and ~1 is −2. Which dtype has True and False?",
            _window(lambda b, w: one_side(b, w).long(), lambda b, w: both_sides(b, w).long()),
        ),
    ),
)


def build_longformer(rows: bool = True, columns: bool = True, base: Callable = both_sides) -> Callable:
    """A Longformer mask, or one with something missing."""

    def longformer_mask(n, window, global_positions):
        mask = base(positions_back(n), window)
        chosen = torch.as_tensor(global_positions, dtype=torch.long)
        if rows:
            mask[chosen] = True
        if columns:
            mask[:, chosen] = True
        return mask

    return longformer_mask


def _counted_from_the_start(n, window, global_positions):
    return build_longformer()(n, window, range(len(global_positions)))


def _only_each_other(n, window, global_positions):
    mask = both_sides(positions_back(n), window)
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
            build_longformer(columns=False),
        ),
        Mistake(
            "global_columns_only",
            "all see your global tokens, but these see only their window. Global attention goes both ways: which axis "
            "is missing?",
            build_longformer(rows=False),
        ),
        Mistake(
            "only_each_other",
            "your global tokens see each other only. With which keys does a global token exchange something?",
            _only_each_other,
        ),
        Mistake(
            "no_window",
            "only the global rows and columns are open in your mask. What do all other pairs see?",
            build_longformer(base=lambda b, w: torch.zeros_like(b, dtype=torch.bool)),
        ),
        Mistake(
            "causal_window",
            "your window looks back only. Which `causal` does the docstring name?",
            build_longformer(base=one_side),
        ),
        Mistake(
            "window_too_wide",
            "your window reaches `window` to each side. How far does sliding_window_mask(…, causal=False) reach?",
            build_longformer(base=lambda b, w: b.abs() < w),
        ),
        Mistake(
            "window_to_each_side",
            "your window reaches `window` to each side, and that inclusive. How far does "
            "sliding_window_mask(…, causal=False) reach?",
            build_longformer(base=lambda b, w: b.abs() <= w),
        ),
        Mistake(
            "global_positions_forgotten",
            "your mask is the window alone. What do global_positions add?",
            build_longformer(rows=False, columns=False),
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
            lambda n, window, global_positions: (
                build_longformer()(n, window, global_positions) & (positions_back(n) >= 0)
            ),
        ),
    ),
)


def random_part(mask: Tensor, window: int, num_global: int) -> Tensor:
    """The entries of a BigBird mask that neither the window nor the global tokens explain."""
    n = mask.shape[0]
    base = both_sides(positions_back(n), window)
    base[: min(num_global, n)] = True
    base[:, : min(num_global, n)] = True
    return mask & ~base
