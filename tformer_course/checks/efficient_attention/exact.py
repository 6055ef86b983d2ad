"""online_softmax: exact over blocks that are read once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ...models.efficient_attention import LargestTensor
from ..core.exercise import Case, Exercise, Mistake
from ..core.run import tensors_in


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
