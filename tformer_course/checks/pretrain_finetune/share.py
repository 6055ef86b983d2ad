"""trainable_share."""

from __future__ import annotations

import torch
from torch import nn

from ...models.pretrain_finetune import lora as reference
from ..core.exercise import Case, Exercise, Mistake


class Mixed(nn.Module):
    """Layers of given sizes, some of them frozen; with a shared weight, a buffer that is large, and a nested part."""

    def __init__(self, sizes: list[int], frozen: list[bool], shared: bool) -> None:
        super().__init__()
        self.parts = nn.ModuleList(nn.Linear(n, n + 1, bias=i % 2 == 0) for i, n in enumerate(sizes))
        for part, is_frozen in zip(self.parts, frozen, strict=True):
            part.requires_grad_(not is_frozen)
        if self.parts[0].bias is not None:
            self.parts[0].bias.requires_grad_(frozen[0])  # within a layer one may be frozen and the other not
        if shared:
            self.again = self.parts[0]
            self.tied = nn.Linear(sizes[1], sizes[1] + 1, bias=False)
            self.tied.weight = self.parts[1].weight
        self.register_buffer("table", torch.zeros(100))


def share(answer, sizes, frozen, shared):
    return float(answer(Mixed(sizes, frozen, shared)))


def counted(sizes, frozen, shared):
    total = sum(n * (n + 1) + (n + 1 if i % 2 == 0 else 0) for i, n in enumerate(sizes))
    free = sum(n * (n + 1) * (not f) for n, f in zip(sizes, frozen, strict=True))
    free += sum(
        (n + 1) * (f if i == 0 else not f) for i, (n, f) in enumerate(zip(sizes, frozen, strict=True)) if i % 2 == 0
    )
    return free / total


def _each_named(model):
    return [p for _, p in model.named_parameters(remove_duplicate=False)]


TRAINABLE_SHARE = Exercise(
    name="trainable_share",
    points=1,
    reference=reference.trainable_share,
    cases=(
        Case("frozen layers", lambda draw: [[3, 5, 2], [True, False, True], False], counted, call=share),
        Case("shared weights", lambda draw: [[4, 6, 3], [True, False, False], True], counted, call=share),
        Case("everything", lambda draw: [[3], [False], False], lambda *given: 12 / 16, call=share),
    ),
    mistakes=(
        Mistake(
            "tensors_counted",
            "you count tensors. How many numbers does each hold?",
            lambda model: sum(p.requires_grad for p in model.parameters()) / len(list(model.parameters())),
        ),
        Mistake(
            "shared_counted_twice",
            "shared weights count several times. How often does the optimiser see them?",
            lambda model: (
                sum(p.numel() for p in _each_named(model) if p.requires_grad)
                / sum(p.numel() for p in _each_named(model))
            ),
        ),
        Mistake(
            "buffers_counted",
            "buffers are in your total. Are they parameters?",
            lambda model: (
                sum(p.numel() for p in model.parameters() if p.requires_grad)
                / (sum(p.numel() for p in model.parameters()) + sum(b.numel() for b in model.buffers()))
            ),
        ),
        Mistake(
            "frozen_share",
            "you return the share of what is frozen. Which part can a step change?",
            lambda model: (
                sum(p.numel() for p in model.parameters() if not p.requires_grad)
                / sum(p.numel() for p in model.parameters())
            ),
        ),
        Mistake(
            "against_the_frozen",
            "you divide by the frozen parameters alone. What is a share taken of?",
            lambda model: (
                sum(p.numel() for p in model.parameters() if p.requires_grad)
                / max(sum(p.numel() for p in model.parameters() if not p.requires_grad), 1)
            ),
        ),
        Mistake(
            "per_cent",
            "you return per cent. Which range has a share?",
            lambda model: (
                100
                * sum(p.numel() for p in model.parameters() if p.requires_grad)
                / sum(p.numel() for p in model.parameters())
            ),
        ),
        Mistake(
            "a_count",
            "you return a number of parameters. Of how many?",
            lambda model: sum(p.numel() for p in model.parameters() if p.requires_grad),
        ),
        Mistake(
            "weights_only",
            "biases are missing in your count. What else is a parameter?",
            lambda model: (
                sum(p.numel() for n, p in model.named_parameters() if p.requires_grad and n.endswith("weight"))
                / sum(p.numel() for n, p in model.named_parameters() if n.endswith("weight"))
            ),
        ),
    ),
)
