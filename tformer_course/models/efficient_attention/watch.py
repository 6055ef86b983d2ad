"""How large is the largest tensor that a computation makes?"""

from __future__ import annotations

from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode


class LargestTensor(TorchDispatchMode):
    """Watches every tensor that torch makes while the block runs, in forward and backward alike.

    `entries` is the largest number of entries of one, `shape` its shape. Views count too: what is expanded to T×T
    without being copied is still a T×T tensor.

    >>> import torch
    >>> with LargestTensor() as seen:
    ...     _ = torch.ones(3, 1) @ torch.ones(1, 5)
    >>> seen.shape
    (3, 5)
    """

    def __init__(self) -> None:
        super().__init__()
        self.entries, self.shape = 0, ()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        for made in out if isinstance(out, list | tuple) else (out,):
            if isinstance(made, Tensor) and made.numel() > self.entries:
                self.entries, self.shape = made.numel(), tuple(made.shape)
        return out
