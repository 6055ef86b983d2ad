"""State spaces that do not change with time: discretisation, recurrence, convolution, and what a state should hold."""

from __future__ import annotations

import torch
from torch import Tensor


def discretize(a: Tensor, b: Tensor, delta: Tensor | float) -> tuple[Tensor, Tensor]:
    """Zero-order hold of h' = a h + b x with a diagonal a: the exact step when x is constant for δ.

    Args:
        a: `(N,)`, the diagonal.
        b: `(N,)`.
        delta: Step size, a number or `(…, 1)`.

    Returns:
        ā = exp(δa) and b̄ = b (exp(δa) − 1)/a, each `(…, N)`, or `(N,)` for a number. At a = 0 this is b̄ = δb.

    Source:
        Gu, Dao 2023 (Mamba, arXiv 2312.00752), equation 4.

    >>> a_bar, b_bar = discretize(torch.tensor([0.0, -1.0]), torch.ones(2), 0.5)
    >>> a_bar, b_bar
    (tensor([1.0000, 0.6065]), tensor([0.5000, 0.3935]))
    """
    z = delta * a  # (…, N)
    small = z.abs() < 1e-3
    # expm1 keeps the digits that exp(z) − 1 loses. Its quotient is right, but not the gradient of the quotient near 0.
    safe = torch.where(small, torch.ones_like(z), z)
    series = 1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5)))
    phi = torch.where(small, series, torch.expm1(safe) / safe)  # (exp(z) − 1)/z
    return torch.exp(z), delta * b * phi


def ssm_recurrence(a_bar: Tensor, b_bar: Tensor, c: Tensor, x: Tensor) -> Tensor:
    """h_t = ā h_{t−1} + b̄ x_t from h = 0, y_t = c · h_t, one step after the other.

    Args:
        a_bar, b_bar, c: `(N,)`.
        x: `(…, T)`.

    Returns:
        `(…, T)`.
    """
    h = x.new_zeros(*x.shape[:-1], a_bar.shape[0])  # (…, N)
    outputs = []
    for t in range(x.shape[-1]):
        h = a_bar * h + b_bar * x[..., t, None]
        outputs.append((h * c).sum(dim=-1))
    return torch.stack(outputs, dim=-1)


def ssm_convolution(a_bar: Tensor, b_bar: Tensor, c: Tensor, x: Tensor) -> Tensor:
    """The same outputs as a convolution with the kernel K_k = Σ_n c_n ā_n^k b̄_n, by FFT.

    Args:
        a_bar, b_bar, c: `(N,)`.
        x: `(…, T)`.

    Returns:
        `(…, T)`.

    Source:
        Gu, Goel, Ré 2021 (S4, arXiv 2111.00396), equations 4 and 5.
    """
    length = x.shape[-1]
    steps = torch.arange(length, dtype=a_bar.dtype, device=a_bar.device)
    kernel = (c * b_bar) @ a_bar[:, None] ** steps  # (T,)
    size = 2 * length  # without the second half the end of the sequence would run into its start
    product = torch.fft.rfft(x, n=size) * torch.fft.rfft(kernel, n=size)
    return torch.fft.irfft(product, n=size)[..., :length]


def hippo_legs(n: int) -> tuple[Tensor, Tensor]:
    """The matrices of HiPPO-LegS: a state whose entries are the Legendre coefficients of all that was seen.

    Args:
        n: Size of the state.

    Returns:
        A `(n, n)`, lower triangular with −1, −2, …, −n on the diagonal, and B `(n,)`.

    Source:
        Gu et al. 2020 (HiPPO, arXiv 2008.07669), equation 3.

    >>> hippo_legs(2)[0]
    tensor([[-1.0000,  0.0000],
            [-1.7321, -2.0000]])
    """
    root = (2 * torch.arange(n) + 1).sqrt()
    full = -root[:, None] * root[None, :]
    return full.tril(-1) - torch.diag(torch.arange(n) + 1.0), root


def s4d_real(n: int) -> Tensor:
    """`(n,)`: −1, −2, …, −n. Only the diagonal of HiPPO-LegS is kept; Mamba starts from it.

    Source:
        Gu et al. 2022 (S4D, arXiv 2206.11893), "S4D-Real".
    """
    return -(torch.arange(n) + 1.0)


def legs_memory(signal: Tensor, n: int) -> Tensor:
    """What n numbers that HiPPO-LegS has kept of a signal say about it, at the end.

    Args:
        signal: `(T,)`.
        n: Size of the state.

    Returns:
        `(T,)`, the signal as the state remembers it.

    Source:
        Gu et al. 2020, section 2.4, in the bilinear form of proposition 3.
    """
    a, b = (m.to(signal.dtype) for m in hippo_legs(n))
    eye, state = torch.eye(n, dtype=signal.dtype), signal.new_zeros(n)
    for step, value in enumerate(signal, start=1):
        right = (eye + a / (2 * step)) @ state + b / step * value
        state = torch.linalg.solve(eye - a / (2 * step), right)
    where = 2 * (torch.arange(len(signal), dtype=signal.dtype) + 0.5) / len(signal) - 1  # (T,), in (−1, 1)
    basis = [torch.ones_like(where), where]
    for k in range(1, n - 1):  # Bonnet's recursion for the Legendre polynomials
        basis.append(((2 * k + 1) * where * basis[k] - k * basis[k - 1]) / (k + 1))
    return (state * b) @ torch.stack(basis[:n])
