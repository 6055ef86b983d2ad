"""From gradients to steps: the schedule, AdamW, and gradients of a batch that does not fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor, nn

State = dict[str, Any]


def cosine_with_warmup(step: int, warmup: int, total: int, peak: float, floor: float = 0.0) -> float:
    """Learning rate of a step: a straight line up, then half a cosine down.

    Args:
        step: From 0.
        warmup: Steps of the line from 0 to peak; 0 starts at peak. Less than total.
        total: Step at which floor is reached; it stays there.
        peak: Largest rate.
        floor: Last rate.

    Returns:
        The rate.

    Source:
        Loshchilov, Hutter 2016 (arXiv 1608.03983), equation 5, without restarts; the line up as in GPT-2 and GPT-3.

    >>> [round(cosine_with_warmup(s, 10, 110, 1.0, 0.1), 3) for s in (0, 5, 10, 60, 110, 500)]
    [0.0, 0.5, 1.0, 0.55, 0.1, 0.1]
    """
    if step < warmup:
        return peak * step / warmup
    progress = min(1.0, (step - warmup) / (total - warmup))  # 0 at the peak, 1 from total on
    return floor + (peak - floor) * 0.5 * (1.0 + math.cos(math.pi * progress))


def adamw_step(
    param: Tensor,
    grad: Tensor,
    state: State,
    lr: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> tuple[Tensor, State]:
    """One step of AdamW; nothing is changed in place.

    Args:
        param, grad: Tensors of one shape.
        state: `{}` at first, then what the last call returned.
        lr: Learning rate of this step.
        betas: Decay of the mean of gradients, and of the mean of their squares.
        eps: Added to the root of the second mean.
        weight_decay: Pulls the parameter towards 0, apart from the gradient and its scaling.

    Returns:
        `(param, state)`, both new.

    Source:
        Loshchilov, Hutter 2017 (arXiv 1711.05101), algorithm 2; Kingma, Ba 2014 (arXiv 1412.6980), algorithm 1.

    >>> import torch
    >>> adamw_step(torch.ones(1), torch.tensor([5.0]), {}, lr=0.1, weight_decay=0.0)[0]  # first step: lr, whatever grad
    tensor([0.9000])
    """
    beta1, beta2 = betas
    step = state.get("step", 0) + 1
    mean = beta1 * state.get("mean", 0.0) + (1 - beta1) * grad
    square = beta2 * state.get("square", 0.0) + (1 - beta2) * grad.square()
    # Both means started at 0; dividing by the weight that the gradients have had so far makes up for that.
    mean_hat = mean / (1 - beta1**step)
    square_hat = square / (1 - beta2**step)
    param = param * (1 - lr * weight_decay) - lr * mean_hat / (square_hat.sqrt() + eps)
    return param, {"step": step, "mean": mean, "square": square}


def accumulate_gradients(
    model: nn.Module,
    loss_fn: Callable[[nn.Module, Any], tuple[Tensor, Tensor | int]],
    micro_batches: Iterable[Any],
) -> float:
    """Gradient of the mean loss over a batch that is read in parts of any size.

    Args:
        model: Its old gradients are cleared first.
        loss_fn: `loss_fn(model, batch)` gives the sum of the losses in a part, and how many they are (0 is allowed).
        micro_batches: The parts; read once, with the graph of one at a time.

    Returns:
        The mean loss of the whole batch, whose gradient is now in every `.grad`; 0.0 where nothing counts.
    """
    model.zero_grad(set_to_none=True)
    total, count = 0.0, 0
    for batch in micro_batches:
        part, targets = loss_fn(model, batch)
        if part.requires_grad:  # a part without targets may come without a graph
            part.backward()  # adds to .grad, and frees this part's graph
        total, count = total + part.item(), count + int(targets)
    # Only now it is known by what to divide: a mean of means would weigh a token in a small part more.
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.div_(max(count, 1))
    return total / max(count, 1)
