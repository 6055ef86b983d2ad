"""perplexity."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from ...models.pretrain_finetune import losses as reference
from ..core.exercise import Case, Exercise, Mistake


def _with_kind(answer, loss):
    value = answer(loss)
    return [value, "float" if isinstance(value, float) else type(value).__name__]


PERPLEXITY = Exercise(
    name="perplexity",
    points=1,
    reference=reference.perplexity,
    cases=(
        Case("a tensor", lambda draw: [draw.uniform(3, 2, low=0.1, high=5.0)], grad=True),
        Case("a scalar tensor", lambda draw: [draw.uniform(1, low=0.1, high=5.0)[0]], grad=True),
        Case("a float", lambda draw: [float(draw.uniform(1, low=0.1, high=5.0))], call=_with_kind),
        Case("float32", lambda draw: [draw.uniform(4, low=0.1, high=5.0, dtype=torch.float32)]),
    ),
    mistakes=(
        Mistake(
            "base_2",
            "you raise 2 to the loss. The loss is in nats: which number is raised?",
            lambda loss: 2.0**loss,
        ),
        Mistake(
            "base_10", "you raise 10 to the loss. The loss is in nats: which number is raised?", lambda loss: 10**loss
        ),
        Mistake(
            "inverse",
            "you return a probability, the inverse of the perplexity. Which sign has the exponent?",
            lambda loss: (-loss).exp() if isinstance(loss, Tensor) else math.exp(-loss),
        ),
        Mistake(
            "always_a_tensor",
            "you return a tensor also for a float. Which function serves Python numbers?",
            lambda loss: torch.as_tensor(loss).exp(),
        ),
        Mistake(
            "always_a_float",
            "you return a Python number for a tensor. What is lost on the way?",
            lambda loss: math.exp(loss) if not isinstance(loss, Tensor) or loss.numel() == 1 else loss.exp().tolist(),
        ),
        Mistake(
            "detached",
            "no gradient flows through your perplexity. Where do you leave the graph?",
            lambda loss: loss.detach().exp() if isinstance(loss, Tensor) else math.exp(loss),
        ),
        Mistake("unchanged", "you return the loss itself. What is its exponential?", lambda loss: loss * 1.0),
    ),
)
