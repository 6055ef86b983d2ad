"""window_mask_3d and hierarchical_attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ...models.efficient_attention import hierarchy
from ..core.exercise import Case, Exercise, Mistake


def _positions(shape, order: tuple[int, ...] = (0, 1, 2)) -> Tensor:
    """`(n, 3)`: frame, row and column of every token, counted with the last axis of `order` fastest."""
    grid = torch.cartesian_prod(*(torch.arange(shape[axis]) for axis in order))
    return grid[:, [order.index(axis) for axis in range(3)]]


def _window_3d(
    order: tuple[int, ...] = (0, 1, 2), rule: str = "same block", axes: tuple[int, ...] = (0, 1, 2)
) -> Callable:
    def window_mask_3d(shape, window):
        at = _positions(shape, order)
        back = at[:, None] - at  # (n, n, 3)
        sizes = torch.tensor([window[axis] for axis in range(3)])
        if rule == "sliding":
            near = back.abs() <= sizes // 2
        elif rule == "wide":
            near = back.abs() < sizes
        elif rule == "rest alone":
            whole = torch.tensor([shape[axis] // window[axis] * window[axis] for axis in range(3)])
            inside, same = (at < whole).all(-1), ((at // sizes)[:, None] == at // sizes).all(-1)
            return same & inside[:, None] & inside | (back == 0).all(-1)
        elif rule == "number of blocks":
            counts = torch.tensor([max(1, -(-shape[axis] // window[axis])) for axis in range(3)])
            near = (at // counts)[:, None] == at // counts
        else:
            near = (at // sizes)[:, None] == at // sizes
        near = near[..., list(axes)]
        return near.any(-1) if rule == "any axis" else near.all(-1)

    return window_mask_3d


def _mirrored_window(shape, window):
    return _window_3d()(shape, tuple(reversed(window)))


def _flat_blocks(shape, window):
    n, size = math.prod(shape), math.prod(window)
    block = torch.arange(n) // size
    return block[:, None] == block


WINDOW_MASK_3D = Exercise(
    name="window_mask_3d",
    points=1,
    reference=reference.window_mask_3d,
    cases=(
        Case("2 frames of 4×6, window 1×2×3", lambda draw: [(2, 4, 6), (1, 2, 3)]),
        Case("windows over frames", lambda draw: [(4, 2, 3), (2, 2, 3)]),
        Case("partial windows", lambda draw: [(3, 5, 4), (2, 2, 3)]),
        Case("window larger than the video", lambda draw: [(2, 3, 2), (4, 9, 2)]),
        Case("fresh sizes", lambda draw: [(draw.integer(2, 4), draw.integer(3, 6), 5), (2, draw.integer(2, 3), 2)]),
    ),
    mistakes=(
        Mistake(
            "columns_counted_first",
            "your tokens are counted columns first. Which index moves fastest when rows come before columns?",
            _window_3d(order=(0, 2, 1)),
        ),
        Mistake(
            "frames_counted_last",
            "your tokens are counted with the frame fastest. In which order do the docstring's tokens come?",
            _window_3d(order=(1, 2, 0)),
        ),
        Mistake(
            "counted_backwards",
            "your first axis moves fastest. In which order do the docstring's tokens come?",
            _window_3d(order=(2, 1, 0)),
        ),
        Mistake(
            "window_backwards",
            "your window's sizes belong to the wrong axes: it is read from the end. Which entry belongs to the frames?",
            _mirrored_window,
        ),
        Mistake(
            "height_and_width_swapped",
            "your window's height and width belong to the wrong axes. Which entry belongs to the rows?",
            lambda shape, window: _window_3d()(shape, (window[0], window[2], window[1])),
        ),
        Mistake(
            "sliding",
            "your windows slide with the query. Here they are fixed blocks: which number says in which block a "
            "token is?",
            _window_3d(rule="sliding"),
        ),
        Mistake(
            "sliding_wide",
            "your windows slide with the query, and reach `window` to each side. Here they are fixed blocks: which "
            "number says in which block a token is?",
            _window_3d(rule="wide"),
        ),
        Mistake(
            "any_axis",
            "your tokens see each other when one of the three axes agrees. How many must agree?",
            _window_3d(rule="any axis"),
        ),
        Mistake(
            "frames_ignored",
            "your windows reach through all frames. Which axis did you leave out?",
            _window_3d(axes=(1, 2)),
        ),
        Mistake(
            "rest_alone",
            "tokens outside the whole windows see only themselves. Partial windows at the ends are windows too: who is "
            "in them?",
            _window_3d(rule="rest alone"),
        ),
        Mistake(
            "number_of_windows",
            "you divide the position by the number of windows. Which division tells in which window a position lies?",
            _window_3d(rule="number of blocks"),
        ),
        Mistake(
            "flat_blocks",
            "your windows are runs of neighbouring token numbers. Which tokens are neighbours in space?",
            _flat_blocks,
        ),
        Mistake(
            "inverted",
            "your True marks what must be hidden. In this course, what does True mean?",
            lambda shape, window: ~_window_3d()(shape, window),
        ),
    ),
)


def _attend(x: Tensor, scale: bool = True) -> Tensor:
    scores = x @ x.transpose(-2, -1)
    return torch.softmax(scores / math.sqrt(x.shape[-1]) if scale else scores, dim=-1) @ x


def _hierarchy(
    means_of: str = "output", second: str = "attention", scale: bool = True, base: str = "output", strided: bool = False
) -> Callable:
    def hierarchical_attention(x, patch):
        cut = x.unflatten(1, (patch, -1)).transpose(1, 2) if strided else x.unflatten(1, (-1, patch))
        local = _attend(cut, scale)  # (B, n/patch, patch, d)
        means = {"output": local.mean(2), "input": cut.mean(2), "sum": local.sum(2), "first": local[:, :, 0]}[means_of]
        among = _attend(means, scale) if second == "attention" else means
        if second == "residual":
            among = means + _attend(means, scale)
        both = {"output": local, "input": cut, "nothing": torch.zeros_like(local)}[base] + (
            0 if second == "none" else among.unsqueeze(2)
        )
        both = both.transpose(1, 2) if strided else both
        return both.flatten(1, 2)

    return hierarchical_attention


def _means_only(x, patch):
    return _attend(_attend(x.unflatten(1, (-1, patch))).mean(2))


HIERARCHICAL_ATTENTION = Exercise(
    name="hierarchical_attention",
    points=1,
    reference=reference.hierarchical_attention,
    helpers=(hierarchy._attend,),
    cases=(
        Case("values", lambda draw: [draw.normal(2, 12, 4), 3], grad=True),
        Case("one patch", lambda draw: [draw.normal(1, 5, 3), 5]),
        Case("patches of one", lambda draw: [draw.normal(2, 6, 4), 1]),
        Case("float32", lambda draw: [draw.normal(2, 8, 4, dtype=torch.float32), 2]),
    ),
    mistakes=(
        Mistake(
            "one_level",
            "your tokens see their patch only. How does something reach another patch?",
            _hierarchy(second="none"),
        ),
        Mistake(
            "means_of_the_input",
            "you average the inputs of a patch. Of what does the docstring take the means?",
            _hierarchy(means_of="input"),
        ),
        Mistake(
            "means_not_attended",
            "you add each patch's own mean. What do the means do before they are added?",
            _hierarchy(second="means"),
        ),
        Mistake(
            "sums",
            "you add up a patch where you should average. What are the second level's tokens?",
            _hierarchy(means_of="sum"),
        ),
        Mistake(
            "first_token",
            "the second level sees the first token of each patch. What are the second level's tokens?",
            _hierarchy(means_of="first"),
        ),
        Mistake(
            "no_scaling",
            "your scores are not scaled. What does attention divide them by in this chapter?",
            _hierarchy(scale=False),
        ),
        Mistake(
            "input_kept",
            "you add the second level to x. To what is it added in the docstring?",
            _hierarchy(base="input"),
        ),
        Mistake(
            "second_level_only",
            "all tokens of a patch get the same output. What of the first level is returned?",
            _hierarchy(base="nothing"),
        ),
        Mistake(
            "residual_of_means",
            "the means are added once more to their own attention. What is added to the first output?",
            _hierarchy(second="residual"),
        ),
        Mistake(
            "strided",
            "your patches take every n/patch-th token. Which tokens form a patch?",
            _hierarchy(strided=True),
        ),
        Mistake(
            "means_returned",
            "you return one row per patch. Which shape does the docstring ask for?",
            _means_only,
        ),
    ),
)
