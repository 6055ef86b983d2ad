"""What attention moves between the large slow memory (HBM) and the small fast one (SRAM): formula and simulation."""

from __future__ import annotations

import math
from collections import Counter

import torch
from torch import Tensor


def hbm_traffic(n: int, d: int, sram: int, algorithm: str) -> int:
    """Elements that one head reads from and writes to HBM in a forward pass.

    Args:
        n: Length, queries and keys alike.
        d: Width of queries, keys and values.
        sram: M, elements that fit into fast memory.
        algorithm: "standard" (scores and weights are stored) or "flash" (algorithm 1 of the 2022 paper, without the
            2 row statistics per query and pass).

    Returns:
        "standard": 4·n·d + 4·n². "flash": 2·n·d + ⌈n/⌈sram/(4d)⌉⌉ · 3·n·d.

    Raises:
        ValueError: For another algorithm.

    Source:
        Dao et al. 2022 (arXiv 2205.14135), algorithms 0 and 1, theorem 2.

    >>> round(hbm_traffic(1024, 64, 25_600, "standard") / hbm_traffic(1024, 64, 25_600, "flash"), 2)
    1.94
    """
    if algorithm == "standard":  # read q, k; write, read scores; write, read weights; read v; write output
        return 4 * n * d + 4 * n * n
    if algorithm == "flash":  # k and v once; per block of keys q and the output are read and the output written
        keys = -(-sram // (4 * d))  # division rounded up
        passes = -(-n // keys)
        return 2 * n * d + passes * 3 * n * d
    raise ValueError(f"algorithm is {algorithm!r}; known are 'standard' and 'flash'")


WHOLE = slice(None)


class SlowMemory:
    """HBM that counts. Arrays lie in it by name; what is read or written is added up.

    Args:
        **arrays: Tensors that are there at the start.
    """

    def __init__(self, **arrays: Tensor) -> None:
        self.arrays = dict(arrays)
        self.reads: Counter[str] = Counter()
        self.writes: Counter[str] = Counter()

    def load(self, name: str, rows: slice = WHOLE) -> Tensor:
        """Copies rows of an array into fast memory: `(rows, …)`; each number counts as one read."""
        part = self.arrays[name][rows].clone()
        self.reads[name] += part.numel()
        return part

    def store(self, name: str, value: Tensor, rows: slice = WHOLE) -> None:
        """Writes `(rows, …)` back into an array; each number counts as one write."""
        self.arrays[name][rows] = value
        self.writes[name] += value.numel()

    def traffic(self, *without: str) -> int:
        """Elements read and written, but for the arrays named."""
        both = self.reads + self.writes
        return sum(count for name, count in both.items() if name not in without)


def simulate_standard(q: Tensor, k: Tensor, v: Tensor) -> SlowMemory:
    """Algorithm 0: scores, weights and output are computed one after the other, each stored in HBM.

    Args:
        q, k, v: `(n, d)`.

    Returns:
        The memory; `arrays["output"]` is the attention.
    """
    n = q.shape[0]
    memory = SlowMemory(q=q, k=k, v=v, scores=q.new_empty(n, n), weights=q.new_empty(n, n), output=torch.empty_like(v))
    memory.store("scores", memory.load("q") @ memory.load("k").T / math.sqrt(q.shape[1]))
    memory.store("weights", torch.softmax(memory.load("scores"), dim=-1))
    memory.store("output", memory.load("weights") @ memory.load("v"))
    return memory


def simulate_flash(q: Tensor, k: Tensor, v: Tensor, sram: int) -> tuple[SlowMemory, int]:
    """Algorithm 1 of 2022: keys outside, queries inside; the output is rescaled in HBM at every pass.

    Args:
        q, k, v: `(n, d)`.
        sram: M in elements.

    Returns:
        The memory, and the largest number of elements that lay in fast memory at once. `maximum` and `total` are
        the row statistics, which `hbm_traffic` does not count.
    """
    n, d = q.shape
    block_k = -(-sram // (4 * d))
    block_q = min(block_k, d)
    memory = SlowMemory(
        q=q, k=k, v=v, output=torch.zeros_like(v), maximum=q.new_full((n, 1), -math.inf), total=q.new_zeros(n, 1)
    )
    fullest = 0
    for start in range(0, n, block_k):
        keys = slice(start, start + block_k)
        tile_k, tile_v = memory.load("k", keys), memory.load("v", keys)
        for first in range(0, n, block_q):
            rows = slice(first, first + block_q)
            queries, output = memory.load("q", rows), memory.load("output", rows)
            maximum, total = memory.load("maximum", rows), memory.load("total", rows)
            scores = queries @ tile_k.T / math.sqrt(d)
            higher = torch.maximum(maximum, scores.amax(dim=1, keepdim=True))
            weights, shrink = torch.exp(scores - higher), torch.exp(maximum - higher)
            grown = total * shrink + weights.sum(dim=1, keepdim=True)
            output = (output * total * shrink + weights @ tile_v) / grown
            held = (tile_k, tile_v, queries, output, scores, maximum, total)  # the weights take the scores' place
            fullest = max(fullest, sum(x.numel() for x in held))
            memory.store("output", output, rows)
            memory.store("maximum", higher, rows)
            memory.store("total", grown, rows)
    return memory, fullest


def roofline(flops: float, moved_bytes: float, peak_flops: float, bandwidth: float) -> dict[str, float | str]:
    """What a device can reach at most on a piece of work.

    Args:
        flops: Operations of the work.
        moved_bytes: Bytes between slow memory and the chip.
        peak_flops: Operations per second of the device.
        bandwidth: Bytes per second of its slow memory.

    Returns:
        `intensity` in operations per byte, `reachable` operations per second, `seconds` at least, and `bound`:
        "memory" or "compute".

    Source:
        Williams, Waterman, Patterson 2009, Roofline.
    """
    intensity = flops / moved_bytes
    reachable = min(peak_flops, intensity * bandwidth)
    return {
        "intensity": intensity,
        "reachable": reachable,
        "seconds": flops / reachable,
        "bound": "memory" if reachable < peak_flops else "compute",
    }
