"""Which operations does an answer give to torch, and does their number grow with the length?"""

from __future__ import annotations

from collections.abc import Callable

from torch.utils._python_dispatch import TorchDispatchMode


class Operations(TorchDispatchMode):
    """Notes the name of every operation on a tensor while the block runs; a loop in Python shows as many of them.

    >>> import torch
    >>> with Operations() as seen:
    ...     _ = torch.ones(3) + torch.ones(3)
    >>> "aten.add.Tensor" in seen.names
    True
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


def operations(call: Callable) -> list[str]:
    """Names of all operations of a call."""
    with Operations() as seen:
        call()
    return seen.names
