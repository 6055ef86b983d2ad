"""Mamba's block, with the names of transformers' MambaMixer; and the same block without selection."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .scan import selective_scan
from .ssm import s4d_real


class MambaBlock(nn.Module):
    """A short causal convolution, a selective scan, and a gate, between two projections.

    Args:
        d_model: Width of the stream, C.
        d_state: Numbers in the state of each channel, N.
        d_conv: Width of the convolution.
        expand: The inner width D is expand · d_model.

    Sub-modules and parameters: `in_proj` (C → 2D, no bias), `conv1d` (depthwise, with bias), `x_proj` (D → R + 2N,
    no bias), `dt_proj` (R → D, with bias), `A_log (D, N)`, `D (D,)`, `out_proj` (D → C, no bias); R = ⌈C/16⌉.

    Source:
        Gu, Dao 2023 (arXiv 2312.00752), figure 3 and section 3.6; initial values as in their code.
    """

    def __init__(self, d_model: int, d_state: int = 16, d_conv: int = 4, expand: int = 2) -> None:
        super().__init__()
        inner, self.rank, self.d_state = expand * d_model, math.ceil(d_model / 16), d_state
        self.in_proj = nn.Linear(d_model, 2 * inner, bias=False)
        self.conv1d = nn.Conv1d(inner, inner, d_conv, groups=inner, padding=d_conv - 1)
        self.x_proj = nn.Linear(inner, self.rank + 2 * d_state, bias=False)
        self.dt_proj = nn.Linear(self.rank, inner)
        self.A_log = nn.Parameter((-s4d_real(d_state)).log().repeat(inner, 1))
        self.D = nn.Parameter(torch.ones(inner))
        self.out_proj = nn.Linear(inner, d_model, bias=False)
        nn.init.uniform_(self.dt_proj.weight, -(self.rank**-0.5), self.rank**-0.5)
        with torch.no_grad():  # steps between 0.001 and 0.1 at the start: memories of many lengths
            step = torch.exp(torch.empty(inner).uniform_(math.log(1e-3), math.log(1e-1)))
            self.dt_proj.bias.copy_(step + torch.log(-torch.expm1(-step)))  # the inverse of softplus

    def steps(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Step sizes `(B, T, D)`, b and c `(B, T, N)`, read off the input of the scan `(B, T, D)`."""
        low, b, c = self.x_proj(x).split([self.rank, self.d_state, self.d_state], dim=-1)
        return F.softplus(self.dt_proj(low)), b, c

    def scan_inputs(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """The input of the scan and of the gate, each `(B, T, D)`, from the stream `(B, T, C)`."""
        inner, gate = self.in_proj(x).chunk(2, dim=-1)
        # padding on both sides, and the end cut off: position t sees t − d_conv + 1 … t
        inner = self.conv1d(inner.transpose(1, 2))[..., : x.shape[1]].transpose(1, 2)
        return F.silu(inner), gate

    def scan(self, *inputs: Tensor) -> Tensor:
        """`selective_scan`, its arguments and its `(B, T, D)`; a subclass may compute the same in another way."""
        return selective_scan(*inputs)

    def forward(self, x: Tensor) -> Tensor:
        """`(B, T, C)` → `(B, T, C)`."""
        inner, gate = self.scan_inputs(x)
        delta, b, c = self.steps(inner)
        y = self.scan(inner, delta, -torch.exp(self.A_log), b, c, self.D)
        return self.out_proj(y * F.silu(gate))


class TimeInvariantBlock(MambaBlock):
    """The same block without selection: steps, b and c are learned but do not look at the input, as in S4.

    Args:
        d_model, d_state, d_conv, expand: As in `MambaBlock`.
        gated: Whether the gate stays; a product of two functions of the input is a weak kind of selection too.
    """

    def __init__(
        self, d_model: int, d_state: int = 16, d_conv: int = 4, expand: int = 2, *, gated: bool = True
    ) -> None:
        super().__init__(d_model, d_state, d_conv, expand)
        self.gated = gated
        self.step_logits = nn.Parameter(self.dt_proj.bias.detach().clone())
        self.b = nn.Parameter(torch.randn(d_state))
        self.c = nn.Parameter(torch.randn(d_state))
        del self.x_proj, self.dt_proj

    def scan_inputs(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """As in `MambaBlock`, each `(B, T, D)`; without a gate the second one lets everything through."""
        inner, gate = super().scan_inputs(x)
        return inner, gate if self.gated else torch.full_like(gate, 1.2784645)  # SiLU of it is 1

    def steps(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """As in `MambaBlock`, `(B, T, D)` and twice `(B, T, N)`, but the same for every position and sample."""
        shape = x.shape[:2]
        return F.softplus(self.step_logits).expand(*shape, -1), self.b.expand(*shape, -1), self.c.expand(*shape, -1)
