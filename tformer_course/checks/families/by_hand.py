"""What a block written by hand may not lean on: the layers of transformers that it is compared with."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable

from torch import nn

from ..core.exercise import Exercise
from ..core.guards import ShortCutError

_LAYERS = {
    "llama": "LlamaDecoderLayer LlamaAttention LlamaMLP LlamaRMSNorm",
    "bert": "BertEmbeddings BertLayer BertAttention BertSelfAttention BertSelfOutput BertIntermediate BertOutput",
}


def library_forwards() -> list[Callable]:
    """The forward functions of transformers' LLaMA and BERT layers, without the decorators around them."""
    found = []
    for family, layers in _LAYERS.items():
        # Where nobody has imported it, nobody can lean on it; and to import it here would take seconds.
        module = sys.modules.get(f"transformers.models.{family}.modeling_{family}")
        found += [inspect.unwrap(getattr(module, layer).forward) for layer in layers.split() if module]
    return found


class ByHand(Exercise):
    """An exercise whose answer may not call transformers' layers either."""

    @property
    def references(self) -> tuple[Callable, ...]:
        """What an answer may not call."""
        return (*super().references, *library_forwards())


def refuse_library_layers(module: nn.Module) -> nn.Module:
    """The module, where no part of it is a model's layer of transformers, or inherits from one."""
    for part in module.modules():
        for kind in type(part).__mro__:
            if kind.__module__.startswith("transformers.models."):
                raise ShortCutError(f"it uses {kind.__name__} of transformers; write this one by hand")
    return module
