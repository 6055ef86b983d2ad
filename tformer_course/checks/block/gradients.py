"""gradient_norms."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from ...models.block import signal as reference
from ..core.exercise import Case, Exercise, Mistake


def small_stack(weights: list[Tensor], x: Tensor) -> tuple[nn.ModuleList, nn.Parameter, Tensor]:
    """Three linear layers in a row and one beside, a parameter before them, and a loss.

    Layer 1 has a frozen weight, layer 3 takes no part. Layer 0 and the parameter before bring old gradients along.
    """
    layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(4)).to(x.dtype)
    with torch.no_grad():
        for layer, w in zip(layers, weights, strict=True):
            layer.weight.copy_(w)
            layer.bias.fill_(0.1)
    first = nn.Parameter(torch.ones(3, dtype=x.dtype))
    first.grad = torch.full((3,), 5.0, dtype=x.dtype)
    layers[0].weight.grad = torch.full((3, 3), 7.0, dtype=x.dtype)
    layers[1].weight.requires_grad_(False)
    h = x * first
    for layer in layers[:3]:
        h = torch.tanh(layer(h))
    return layers, first, h.square().sum()


def _norms(answer, weights, x):
    layers, _, loss = small_stack(weights, x)
    try:
        return list(answer([nn.Sequential(layer) for layer in layers], loss))  # a block's parameters lie deeper
    except NotImplementedError:
        raise
    except (RuntimeError, AttributeError, TypeError) as error:
        return f"{type(error).__name__}: {str(error)[:60]}"


def _traces(answer, weights, x):
    """What a call leaves behind: every .grad, and whether the graph still works."""
    layers, first, loss = small_stack(weights, x)
    answer([layers[3], *layers[:3]], loss)  # the last one has a part in the loss
    parameters = [first, *layers.parameters()]
    left = [None if p.grad is None else p.grad.clone() for p in parameters]
    try:
        torch.autograd.grad(loss, [first])
        usable = "the graph works"
    except RuntimeError:
        usable = "the graph is gone"
    return {"gradients": left, "graph": usable, "frozen": [not p.requires_grad for p in parameters]}


def _slow_norms(weights, x):
    layers, _, loss = small_stack(weights, x)
    loss.backward()
    layers[0].weight.grad -= 7.0
    found = [[g for p in m.parameters() if p.grad is not None for g in p.grad.flatten().tolist()] for m in layers]
    return [math.sqrt(sum(g * g for g in mine)) for mine in found]


def _reduced(per_block: Callable[[list[Tensor]], float], unused_fails: bool = False) -> Callable:
    def gradient_norms(blocks, loss):
        out = []
        for block in blocks:
            wanted = [p for p in block.parameters() if p.requires_grad]
            found = torch.autograd.grad(loss, wanted, retain_graph=True, allow_unused=not unused_fails)
            found = [g for g in found if g is not None]
            out.append(float(per_block(found)) if found else 0.0)
        return out

    return gradient_norms


def _unfreezing(blocks, loss):
    blocks = list(blocks)
    for block in blocks:
        block.requires_grad_(True)
    return _reduced(lambda gs: _flat(gs).norm())(blocks, loss)


def _flat(gradients: list[Tensor]) -> Tensor:
    return torch.cat([g.flatten() for g in gradients])


def _backward(clear: bool = False, restore: bool = False) -> Callable:
    def gradient_norms(blocks, loss):
        blocks = list(blocks)
        parameters = [p for b in blocks for p in b.parameters()]
        before = [p.grad for p in parameters]
        if clear or restore:
            for p in parameters:
                p.grad = None
        loss.backward(retain_graph=True)
        norms = [
            math.sqrt(sum(float(p.grad.square().sum()) for p in b.parameters() if p.grad is not None)) for b in blocks
        ]
        if restore or clear:
            for p, old in zip(parameters, before, strict=True):
                p.grad = old if restore else None
        return norms

    return gradient_norms


def _stack(draw) -> list:
    return [[draw.normal(3, 3) for _ in range(4)], draw.normal(5, 3)]


GRADIENT_NORMS = Exercise(
    name="gradient_norms",
    points=2,
    reference=reference.gradient_norms,
    cases=(
        Case("norms", _stack, _slow_norms, call=_norms),
        Case("nothing left behind", _stack, call=_traces),
        Case(
            "one layer by hand",
            lambda draw: [draw.normal(2)],
            lambda c: [float(c.norm())],
            call=lambda answer, c: list(answer(*_one_layer(c))),
        ),
    ),
    mistakes=(
        Mistake(
            "unfreezes",
            "frozen parameters are no longer frozen after your call. What may a measurement change?",
            _unfreezing,
        ),
        Mistake(
            "sum_of_norms",
            "you add the norms of a block's parameters. How do the lengths of two pieces of one vector combine?",
            _reduced(lambda gs: sum(g.norm() for g in gs)),
        ),
        Mistake(
            "squared",
            "you return the sum of squares. What is the last step of an L2 norm?",
            _reduced(lambda gs: _flat(gs).square().sum()),
        ),
        Mistake(
            "mean_of_norms",
            "you average the norms of a block's parameters. How do the lengths of two pieces of one vector combine?",
            _reduced(lambda gs: sum(g.norm() for g in gs) / len(gs)),
        ),
        Mistake(
            "largest_norm",
            "you return the norm of the largest parameter only. Which parameters does a block's norm cover?",
            _reduced(lambda gs: max(g.norm() for g in gs)),
        ),
        Mistake(
            "root_mean_square",
            "you return a root mean square, which hides how many parameters there are. Which norm is asked for?",
            _reduced(lambda gs: _flat(gs).square().mean().sqrt()),
        ),
        Mistake(
            "sum_of_absolute_values",
            "you return the L1 norm. Which norm is asked for?",
            _reduced(lambda gs: _flat(gs).abs().sum()),
        ),
        Mistake(
            "unused_fails",
            "a parameter that the loss does not depend on stops your function. Which argument of torch.autograd.grad "
            "allows it?",
            _reduced(lambda gs: _flat(gs).norm(), unused_fails=True),
        ),
        Mistake(
            "frozen_fails",
            "a frozen parameter stops your function. Which parameters can you ask a gradient for?",
            lambda blocks, loss: [
                float(_flat(torch.autograd.grad(loss, list(b.parameters()), retain_graph=True)).norm()) for b in blocks
            ],
        ),
        Mistake(
            "old_gradients_counted",
            "your norms contain what stood in .grad before: backward adds to it. Which function of torch returns "
            "gradients and leaves .grad alone?",
            _backward(),
        ),
        Mistake(
            "old_gradients_lost",
            "your function deletes the gradients that were there. The caller may still need them: which function of "
            "torch returns gradients and leaves .grad alone?",
            _backward(clear=True),
        ),
        Mistake(
            "other_gradients_changed",
            "you restore the gradients of the blocks, but backward also reached a parameter outside them. Which "
            "function of torch returns gradients and leaves every .grad alone?",
            _backward(restore=True),
        ),
        Mistake(
            "graph_gone",
            "after your call the graph is freed, so the training step cannot run backward. Which argument keeps it?",
            lambda blocks, loss: _once(blocks, loss),
        ),
    ),
)


def _one_layer(c: Tensor) -> tuple[list[nn.Module], Tensor]:
    """A block whose gradient is c: one linear layer without a bias, read at the input 1."""
    layer = nn.Linear(1, len(c), bias=False).to(c.dtype)
    return [layer], (layer(torch.ones(1, dtype=c.dtype)) * c).sum()


def _once(blocks, loss):
    groups = [[p for p in b.parameters() if p.requires_grad] for b in blocks]
    found = iter(torch.autograd.grad(loss, [p for g in groups for p in g], allow_unused=True))
    norms = []
    for group in groups:
        mine = [g for g in (next(found) for _ in group) if g is not None]
        norms.append(float(_flat(mine).norm()) if mine else 0.0)
    return norms
