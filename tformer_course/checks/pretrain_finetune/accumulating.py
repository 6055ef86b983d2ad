"""accumulate_gradients."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from ...models.pretrain_finetune import optimiser as reference
from ..core.exercise import Case, Exercise, Mistake


class Small(nn.Module):
    """Two layers, one of which is used twice, and a parameter that nothing uses. Everything has an old gradient."""

    def __init__(self, weights: list[Tensor]) -> None:
        super().__init__()
        first, second = weights
        self.first, self.second = nn.Parameter(first.clone()), nn.Parameter(second.clone())
        self.shared = self.first
        self.unused = nn.Parameter(torch.ones(2, dtype=first.dtype))
        for parameter in self.parameters():
            parameter.grad = torch.full_like(parameter, 3.0)

    def forward(self, x: Tensor) -> Tensor:
        return torch.tanh(torch.tanh(x @ self.first) @ self.shared) @ self.second


def summed(as_tensor: bool = False) -> Callable:
    """A loss function that gives the sum of squares over what counts, and how many count."""

    def loss_fn(model, batch):
        x, y, counts = batch
        losses = (model(x) - y).square().sum(-1)
        return (losses * counts).sum(), counts.sum() if as_tensor else int(counts.sum())

    return loss_fn


def batches(draw, sizes, counted) -> list:
    """Micro-batches of (x, y, counts): in the i-th the first `counted[i]` rows count."""
    return [
        [draw.normal(n, 3), draw.normal(n, 2), (torch.arange(n) < c).to(torch.float64)]
        for n, c in zip(sizes, counted, strict=True)
    ]


def weights_of(draw) -> list[Tensor]:
    return [draw.normal(3, 3), draw.normal(3, 2)]


def gradients_of(answer, weights, parts, as_tensor=False, lazily=False):
    """The returned mean and every .grad; None is zero."""
    model = Small(weights)
    value = answer(model, summed(as_tensor), (part for part in parts) if lazily else list(parts))
    kind = "a number" if isinstance(value, float | int) else type(value).__name__
    left = [torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in model.parameters()]
    kept = torch.equal(model.first, weights[0]) and torch.equal(model.second, weights[1])
    return {"mean": float(value), "kind": kind, "gradients": left, "the weights stay": kept}


def of_the_whole_batch(weights, parts, as_tensor=False, lazily=False):
    """The same by one call of torch.autograd.grad on the whole batch."""
    model = Small(weights)
    x, y, counts = (torch.cat([part[i] for part in parts]) for i in range(3))
    total = float(counts.sum())
    mean = ((model(x) - y).square().sum(-1) * counts).sum() / max(total, 1.0)
    parameters = list(model.parameters())
    found = torch.autograd.grad(mean, parameters, allow_unused=True)
    zeros = [torch.zeros_like(p) if g is None else g for p, g in zip(parameters, found, strict=True)]
    return {"mean": float(mean), "kind": "a number", "gradients": zeros, "the weights stay": True}


def order_of_graphs(answer, weights, parts):
    """The largest number of graphs that wait for their backward pass at the same time."""
    model, waiting, most = Small(weights), set(), [0]

    def loss_fn(model, batch):
        x, y, counts = batch
        out = model(x)
        if out.requires_grad:
            mark = object()
            waiting.add(mark)
            most[0] = max(most[0], len(waiting))
            out.register_hook(lambda gradient, mark=mark: waiting.discard(mark))
        return ((out - y).square().sum(-1) * counts).sum(), int(counts.sum())

    answer(model, loss_fn, (part for part in parts))
    return {"most graphs at a time": most[0], "left without backward": len(waiting)}


def _variant(
    *,
    clear: bool = True,
    weigh: Callable = lambda part, n: part,
    finish: Callable = lambda n, k: n,
    value: Callable = lambda s, n, means: s / max(n, 1),
    clear_each: bool = False,
) -> Callable:
    """Accumulation with one thing done differently; `finish` gives what the sum of gradients is divided by."""

    def accumulate_gradients(model, loss_fn, micro_batches):
        if clear:
            model.zero_grad(set_to_none=True)
        total, count, parts, means = 0.0, 0, 0, []
        for batch in micro_batches:
            if clear_each:
                model.zero_grad(set_to_none=True)
            part, n = loss_fn(model, batch)
            weigh(part, n).backward()
            total, count, parts = total + part.item(), count + int(n), parts + 1
            means.append(part.item() / max(int(n), 1))
        divisor = finish(count, parts)
        for p in model.parameters():
            if p.grad is not None:
                p.grad.div_(max(divisor, 1))
        return value(total, count, means)

    return accumulate_gradients


def _summed_first(model, loss_fn, micro_batches):
    """One backward pass over all parts together."""
    model.zero_grad(set_to_none=True)
    found = [loss_fn(model, batch) for batch in micro_batches]
    total, count = sum(part for part, _ in found), max(sum(int(n) for _, n in found), 1)
    (total / count).backward()
    return float(total.detach()) / count


def _with_a_step(model, loss_fn, micro_batches):
    mean = _variant()(model, loss_fn, micro_batches)
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return mean


def _as_tensor(model, loss_fn, micro_batches):
    model.zero_grad(set_to_none=True)
    total, count = torch.zeros((), dtype=torch.float64), 0
    for batch in micro_batches:
        part, n = loss_fn(model, batch)
        part.backward()
        total, count = total + part.detach(), count + int(n)
    for p in model.parameters():
        if p.grad is not None:
            p.grad.div_(max(count, 1))
    return total / max(count, 1)


def _divides_by_zero(model, loss_fn, micro_batches):
    model.zero_grad(set_to_none=True)
    total, count = 0.0, 0
    for batch in micro_batches:
        part, n = loss_fn(model, batch)
        part.backward()
        total, count = total + part.item(), count + int(n)
    for p in model.parameters():
        if p.grad is not None:
            p.grad /= count
    return total / count if count else float("nan")


def _mean_of_means(means):
    return sum(means) / max(len(means), 1)


def _per_part(part, n):
    return part / max(int(n), 1)


ACCUMULATE_GRADIENTS = Exercise(
    name="accumulate_gradients",
    points=2.5,
    reference=reference.accumulate_gradients,
    cases=(
        Case(
            "uneven parts",
            lambda draw: [weights_of(draw), batches(draw, (4, 1, 3), (4, 1, 2))],
            of_the_whole_batch,
            call=gradients_of,
        ),
        Case(
            "counts as tensors, some 0, from a generator",
            lambda draw: [weights_of(draw), batches(draw, (2, 3, 5), (2, 0, 5)), True, True],
            of_the_whole_batch,
            call=gradients_of,
        ),
        Case(
            "nothing counts",
            lambda draw: [weights_of(draw), batches(draw, (2, 3), (0, 0))],
            of_the_whole_batch,
            call=gradients_of,
        ),
        Case(
            "one graph at a time",
            lambda draw: [weights_of(draw), batches(draw, (2, 3, 1, 2), (2, 3, 1, 2))],
            lambda w, parts: {"most graphs at a time": 1, "left without backward": 0},
            call=order_of_graphs,
        ),
    ),
    mistakes=(
        Mistake(
            "mean_of_means",
            "every part counts the same, however many targets it has: a mean of means. By what is the sum "
            "of all losses "
            "divided?",
            _variant(weigh=_per_part, finish=lambda n, k: k, value=lambda s, n, means: _mean_of_means(means)),
        ),
        Mistake(
            "mean_of_means_right_value",
            "the mean that you return is right, but your gradient is that of a mean of means. By what is a part's loss "
            "divided before backward?",
            _variant(weigh=_per_part, finish=lambda n, k: k),
        ),
        Mistake(
            "sum_of_means",
            "you add the gradients of the parts' means. By what is the sum of all losses divided?",
            _variant(weigh=_per_part, finish=lambda n, k: 1),
        ),
        Mistake(
            "sum_of_means_returned_mean_of_means",
            "you add the gradients of the parts' means. By what is the sum of all losses divided?",
            _variant(weigh=_per_part, finish=lambda n, k: 1, value=lambda s, n, means: _mean_of_means(means)),
        ),
        Mistake(
            "last_part_only",
            "only the last part's gradient is left: you clear within the loop. When are old gradients cleared?",
            _variant(clear_each=True),
        ),
        Mistake(
            "old_gradients_kept",
            "old gradients are still in yours. What stands in .grad before your first backward?",
            _variant(clear=False),
        ),
        Mistake(
            "never_divided",
            "your gradient is that of the sum. By how much does it differ from that of the mean?",
            _variant(finish=lambda n, k: 1),
        ),
        Mistake(
            "divided_by_the_parts",
            "you divide by the number of parts. How many losses are in the mean?",
            _variant(finish=lambda n, k: k),
        ),
        Mistake(
            "value_is_the_sum",
            "your gradient is right, but you return the sum. Which mean is asked for?",
            _variant(value=lambda s, n, means: s),
        ),
        Mistake(
            "value_is_a_mean_of_means",
            "your gradient is right, but you return a mean of means. Which mean is asked for?",
            _variant(value=lambda s, n, means: _mean_of_means(means)),
        ),
        Mistake(
            "divides_by_zero",
            "where nothing counts, you divide by zero. What should a mean over nothing be?",
            _divides_by_zero,
        ),
        Mistake(
            "all_graphs_at_once",
            "all parts' graphs are in memory together, so nothing is saved. When can backward run for a part?",
            _summed_first,
        ),
        Mistake(
            "steps",
            "the weights have changed. Whose task is the step: yours or the optimiser's?",
            _with_a_step,
        ),
        Mistake("returns_a_tensor", "you return a tensor. Which Python number is in it?", _as_tensor),
    ),
)
