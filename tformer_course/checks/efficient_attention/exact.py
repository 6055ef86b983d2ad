"""sliding_window_attention and online_softmax."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ...models.efficient_attention import LargestTensor, flash
from ..core.exercise import Case, Exercise, Mistake
from ..core.run import tensors_in
from .watching import masked_attention, without_square


def draw_qkv(draw, *lead: int, t: int = 7, s: int = 7, dtype=torch.float64, scale: float = 1.0) -> list[Tensor]:
    """Queries and keys of width 4, values of width 3."""
    q, k, v = draw.normal(*lead, t, 4, dtype=dtype), draw.normal(*lead, s, 4, dtype=dtype), draw.normal(*lead, s, 3)
    return [q * scale, k * scale, v.to(dtype)]


def positions_back(n: int) -> Tensor:
    """`(n, n)`: how far key j lies before query i."""
    return torch.arange(n)[:, None] - torch.arange(n)


def _by_mask(rule: Callable, scale: bool = True) -> Callable:
    def sliding_window_attention(q, k, v, window):
        q = q if scale else q * math.sqrt(q.shape[-1])
        return masked_attention(q, k, v, rule(positions_back(q.shape[-2]), window))

    return sliding_window_attention


def _same_block(back: Tensor, w: int) -> Tensor:
    block = torch.arange(len(back)) // w
    return (block[:, None] == block) & (back >= 0)


def _two_blocks(back: Tensor, w: int) -> Tensor:
    block = torch.arange(len(back)) // w
    return ((block[:, None] - block) <= 1) & (back >= 0)


def _whole_blocks_only(q, k, v, window):
    whole = q.shape[-2] // window * window
    out = _by_mask(lambda b, w: (b >= 0) & (b < w))(q, k, v, window)
    return torch.cat([out[..., :whole, :], torch.zeros_like(out[..., whole:, :])], dim=-2)


def _padded_with_zeros(q, k, v, window):
    """Keys before the first are zeros and take part in the softmax."""
    k, v = (torch.nn.functional.pad(x, (0, 0, window - 1, 0)) for x in (k, v))
    back = torch.arange(q.shape[-2])[:, None] - torch.arange(-(window - 1), q.shape[-2])
    return masked_attention(q, k, v, (back >= 0) & (back < window))


SLIDING_WINDOW_ATTENTION = Exercise(
    name="sliding_window_attention",
    points=2,
    reference=reference.sliding_window_attention,
    helpers=(flash._Tiled,),
    cases=(
        Case("values", lambda draw: [*draw_qkv(draw, 2), 3], grad=True),
        Case("heads", lambda draw: [*draw_qkv(draw, 2, 3, t=10, s=10), 4]),
        Case("window wider than the text", lambda draw: [*draw_qkv(draw), 20]),
        Case("large scores", lambda draw: [*draw_qkv(draw, scale=40.0), 2]),
        Case("float32", lambda draw: [*draw_qkv(draw, 2, dtype=torch.float32), 3]),
        Case(
            "no T×T tensor",
            lambda draw: [draw.normal(512, 8) for _ in range(3)],
            call=lambda answer, q, k, v: without_square(lambda *x: answer(*x, 8), q, k, v),
            limit=8.0,
        ),
    ),
    mistakes=(
        Mistake(
            "square",
            "the values are right, but you make a tensor with T×T entries. Which keys can a block of queries see "
            "at all?",
            _by_mask(lambda b, w: (b >= 0) & (b < w)),
        ),
        Mistake(
            "off_by_one",
            "each query sees one key too many. The query's own position counts: which keys are 0 ≤ i − j < window?",
            _by_mask(lambda b, w: (b >= 0) & (b <= w)),
        ),
        Mistake(
            "one_too_few",
            "each query sees one key too few. The query's own position counts: which is the first of the window?",
            _by_mask(lambda b, w: (b >= 0) & (b < max(w - 1, 1))),
        ),
        Mistake(
            "block_edges_lost",
            "your queries see only the keys of their own block. Where are the window's keys of the first query of a "
            "block?",
            _by_mask(_same_block),
        ),
        Mistake(
            "two_whole_blocks",
            "your queries see all of the block before theirs, also keys that lie further back than the window. What "
            "must be masked inside the two blocks?",
            _by_mask(_two_blocks),
        ),
        Mistake(
            "not_causal",
            "your window also looks ahead. Which sign of i − j is the future?",
            _by_mask(lambda b, w: b.abs() < w),
        ),
        Mistake(
            "two_sided",
            "your window looks half back and half ahead. Which of the chapter's two windows is causal?",
            _by_mask(lambda b, w: b.abs() <= w // 2),
        ),
        Mistake(
            "full_causal", "your queries see the whole past. What does window limit?", _by_mask(lambda b, w: b >= 0)
        ),
        Mistake(
            "no_scaling",
            "your scores are not scaled. What does attention divide them by in this chapter?",
            _by_mask(lambda b, w: (b >= 0) & (b < w), scale=False),
        ),
        Mistake(
            "zeros_take_part",
            "the zeros that you put before the first key take part in the softmax of the first queries. What score "
            "must a key have that is not there?",
            _padded_with_zeros,
        ),
        Mistake(
            "rest_lost",
            "the queries after the last whole block get zeros. What does “any T” ask for?",
            _whole_blocks_only,
        ),
    ),
)


def _online(
    rescale: bool = True,
    masked: bool = True,
    shift: bool = True,
    keep: str = "maximum",
    give: str = "both",
    detached: str = "",
) -> Callable:
    def online_softmax(blocks):
        maximum = total = None
        for block in blocks:
            here = (block.detach() if detached == "everywhere" else block).amax(-1)
            higher = here if maximum is None or keep == "last" else torch.maximum(maximum, here)
            reference_point = higher.masked_fill(higher == -math.inf, 0.0) if masked else higher
            if not shift:
                reference_point = torch.zeros_like(higher)
            if detached in ("in the total", "new in the total"):
                reference_point = reference_point.detach()
            fresh = torch.exp(block - reference_point.unsqueeze(-1)).sum(-1)
            if total is None:
                total = fresh
            else:
                old = maximum.detach() if detached == "in the total" else maximum
                total = total * torch.exp(old - reference_point) + fresh if rescale and shift else total + fresh
            maximum = higher
        if give == "swapped":
            return total, maximum
        return (maximum, maximum + total.log()) if give == "logsumexp" else (maximum, total)

    return online_softmax


def _joined(blocks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    return _online()([torch.cat(list(blocks), dim=-1)])


def _two_passes(blocks: Iterable[Tensor]) -> tuple[Tensor, Tensor]:
    """Keeps all blocks: first the maximum of all, then the total."""
    kept = list(blocks)
    maximum = torch.stack([block.amax(-1) for block in kept]).amax(0)
    safe = maximum.masked_fill(maximum == -math.inf, 0.0)
    return maximum, sum(torch.exp(block - safe.unsqueeze(-1)).sum(-1) for block in kept)


def _stacked_maxima(blocks):
    """Rescales with the old maximum on the wrong side."""
    maximum = total = None
    for block in blocks:
        here = block.amax(-1)
        higher = here if maximum is None else torch.maximum(maximum, here)
        safe = higher.masked_fill(higher == -math.inf, 0.0)
        fresh = torch.exp(block - safe.unsqueeze(-1)).sum(-1)
        old = None if maximum is None else maximum.masked_fill(maximum == -math.inf, 0.0)
        total = fresh if total is None else total * torch.exp(safe - old) + fresh
        maximum = higher
    return maximum, total


def _in_pieces(answer: Callable, *blocks: Tensor) -> tuple[Tensor, Tensor]:
    return tuple(answer(block for block in blocks))


class _Reads(LargestTensor):
    """Watches as well whether a block is used again after a later one: then it was kept."""

    def __init__(self, blocks: Iterable[Tensor]) -> None:
        super().__init__()
        self.number = {block.untyped_storage().data_ptr(): i for i, block in enumerate(blocks)}
        self.latest, self.again = 0, False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        for used in tensors_in([args, kwargs or {}]):
            number = self.number.get(used.untyped_storage().data_ptr(), self.latest)
            self.again |= number < self.latest
            self.latest = max(self.latest, number)
        return super().__torch_dispatch__(func, types, args, kwargs)


def not_joined(answer: Callable, *blocks: Tensor) -> dict:
    """Maximum and total; whether a tensor as large as all blocks together was made; the order of reading."""
    everything = sum(block.numel() for block in blocks)
    with _Reads(blocks) as seen:
        maximum, total = answer(block for block in blocks)
    size = "a tensor as large as all blocks" if seen.entries >= everything else "small tensors"
    order = "a block again after a later one" if seen.again else "one after the other"
    return {"maximum": maximum, "total": total, "made": size, "read": order}


def _pieces(draw, *lead: int, cuts: tuple[int, ...] = (4, 1, 6), scale: float = 1.0, dtype=torch.float64) -> list:
    return [draw.normal(*lead, cut, scale=scale, dtype=dtype) for cut in cuts]


def _partly_masked(draw) -> list[Tensor]:
    blocks = _pieces(draw, 3)
    blocks[0][1] = -math.inf
    blocks[2][2] = -math.inf
    blocks[2][0, :2] = -math.inf
    return blocks


def _all_masked(draw) -> list[Tensor]:
    return [torch.full((2, cut), -math.inf, dtype=torch.float64) for cut in (3, 1, 4)]


ONLINE_SOFTMAX = Exercise(
    name="online_softmax",
    points=1.5,
    reference=reference.online_softmax,
    cases=(
        Case("three blocks", lambda draw: _pieces(draw, 2), call=_in_pieces, grad=True),
        Case("large scores", lambda draw: _pieces(draw, 2, scale=800.0), call=_in_pieces),
        Case("masked blocks", _partly_masked, call=_in_pieces),
        Case("their gradients", _partly_masked, call=lambda f, *b: f(x for x in b)[1], grad=True),
        Case("all masked", _all_masked, call=_in_pieces),
        Case("one row, float32", lambda draw: _pieces(draw, dtype=torch.float32), call=_in_pieces),
        Case("not concatenated", lambda draw: _pieces(draw, 2, cuts=(5, 2, 7) * 4), call=not_joined),
    ),
    mistakes=(
        Mistake(
            "no_rescaling",
            "your total adds numbers that were measured against different maxima. When the maximum grows, by what must "
            "the old total be multiplied?",
            _online(rescale=False),
        ),
        Mistake(
            "rescaled_the_wrong_way",
            "when the maximum grows your old total grows too. Must it get larger or smaller?",
            _stacked_maxima,
        ),
        Mistake(
            "last_maximum",
            "your maximum is that of the last block. What must be kept from the blocks before?",
            _online(keep="last"),
        ),
        Mistake(
            "nan_for_masked",
            "a block of −inf gives NaN: −inf − (−inf) is no number. What can stand in for the maximum where nothing is "
            "visible yet?",
            _online(masked=False),
        ),
        Mistake(
            "no_maximum_subtracted",
            "your total is Σ exp(score), with no maximum subtracted. What happens to exp of a score of 1000?",
            _online(shift=False),
        ),
        Mistake(
            "logsumexp",
            "your second value is the logarithm of Σ exp(score). What does the docstring ask for?",
            _online(give="logsumexp"),
        ),
        Mistake("swapped", "you return (total, maximum). Which of the two comes first?", _online(give="swapped")),
        Mistake(
            "maximum_detached",
            "the values are right, but no gradient flows through your maximum. It is an output too: what does "
            "detach() do?",
            _online(detached="everywhere"),
        ),
        Mistake(
            "detached_in_the_total",
            "the values are right, but the total is differentiated as if the maximum in it were a constant. What "
            "does total = Σ exp(score − maximum) depend on?",
            _online(detached="in the total"),
        ),
        Mistake(
            "reference_detached",
            "the values are right, but the new maximum in your total is a constant for the gradient, and the old one "
            "is not. What does total = Σ exp(score − maximum) depend on?",
            _online(detached="new in the total"),
        ),
        Mistake(
            "concatenated",
            "the values are right, but you put the blocks together first: then nothing is saved. What must be kept "
            "after a block was read?",
            _joined,
        ),
        Mistake(
            "all_kept",
            "the values are right, but you come back to a block after later ones, so all of them must be kept. Which "
            "two numbers are enough to go on?",
            _two_passes,
        ),
    ),
)
