"""Chapter 01, attention: the reference implementations.

Dimension key, the same letters in every chapter:
    B batch, H heads, T queries, S keys, C d_model, D d_head (d_k), D_v width of a value (d_v);
    here also h hidden width of a score.
"…" stands for any number of leading dimensions. A mask is boolean and True means "may attend", as in
torch.nn.functional.scaled_dot_product_attention. A row that may attend to nothing gives zeros, never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor


def additive_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    w_query: Tensor,
    w_key: Tensor,
    v: Tensor,
    mask: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """Attention of one decoder state over all encoder states, with a small network as the score.

    Args:
        query: `(B, d_q)`, what is looked for.
        keys: `(B, n, d_k)`, what each position offers.
        values: `(B, n, d_v)`, what each position gives.
        w_query: `(d_q, h)`.
        w_key: `(d_k, h)`.
        v: `(h,)`.
        mask: `(B, n)` bool, True = may attend; None lets every position in.

    Returns:
        Context `(B, d_v)` and weights `(B, n)`. The weights of a row sum to 1, or are all 0 where it may attend to
        nothing.

    Raises:
        ValueError: Where two shapes do not fit, with both in the message.

    Source:
        Bahdanau, Cho, Bengio 2015 (arXiv 1409.0473), section 3.1 and appendix A.1.2.
    """
    if keys.shape[:-1] != values.shape[:-1]:
        raise ValueError(f"keys {tuple(keys.shape)} and values {tuple(values.shape)} differ before the last axis")
    if query.shape[:-1] != keys.shape[:-2]:
        raise ValueError(f"query {tuple(query.shape)} and keys {tuple(keys.shape)} have different batch shapes")
    if query.shape[-1] != w_query.shape[0]:
        raise ValueError(f"query {tuple(query.shape)} does not fit w_query {tuple(w_query.shape)}")
    if keys.shape[-1] != w_key.shape[0]:
        raise ValueError(f"keys {tuple(keys.shape)} do not fit w_key {tuple(w_key.shape)}")
    hidden = torch.tanh((query @ w_query).unsqueeze(-2) + keys @ w_key)  # (B, n, h)
    scores = hidden @ v  # (B, n)
    weights = masked_softmax(scores, mask)  # (B, n)
    context = (weights.unsqueeze(-2) @ values).squeeze(-2)  # (B, d_v)
    return context, weights


def scaled_dot_product_attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """softmax(q kᵀ / √D) v, with the softmax over the keys.

    Args:
        q: Queries `(…, T, D)`.
        k: Keys `(…, S, D)`.
        v: Values `(…, S, D_v)`.
        mask: Bool, True = may attend; broadcasts against the scores `(…, T, S)`. None lets every key in.

    Returns:
        Output `(…, T, D_v)` and weights `(…, T, S)`.

    Raises:
        ValueError: Where two shapes do not fit, with both in the message.

    Source:
        Vaswani et al. 2017 (arXiv 1706.03762), equation 1.

    >>> q, k, v = torch.zeros(1, 2), torch.zeros(3, 2), torch.tensor([[3.0], [6.0], [9.0]])
    >>> scaled_dot_product_attention(q, k, v)[0]  # all scores equal: the plain mean of the values
    tensor([[6.]])
    """
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(f"queries are {q.shape[-1]} wide and keys {k.shape[-1]}; a dot product needs equal widths")
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"there are {k.shape[-2]} keys but {v.shape[-2]} values; each key needs its value")
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (…, T, S)
    weights = masked_softmax(scores, mask)  # (…, T, S)
    return weights @ v, weights  # (…, T, D_v), (…, T, S)


def masked_softmax(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax over the last axis, among the entries where the mask is True.

    Args:
        scores: `(…, S)`, any finite values.
        mask: Bool, broadcasts against the scores; None keeps all.

    Returns:
        Weights `(…, S)`; a row without any True is all zeros, and so is its gradient.

    Raises:
        ValueError: For a mask that is not boolean, or does not broadcast against the scores.
    """
    if mask is None:
        return torch.softmax(scores, dim=-1)
    if mask.dtype is not torch.bool:
        raise ValueError(f"the mask is {mask.dtype}; a boolean mask is needed, True = may attend")
    try:
        torch.broadcast_shapes(mask.shape, scores.shape)
    except RuntimeError as error:
        shapes = f"mask {tuple(mask.shape)} does not broadcast against scores {tuple(scores.shape)}"
        raise ValueError(shapes) from error
    empty = ~mask.any(dim=-1, keepdim=True)  # (…, 1)
    # softmax over nothing but −inf is 0/0 = NaN, and a NaN that is replaced afterwards still poisons the gradient.
    # So an empty row gets harmless scores first and its zeros last.
    scores = scores.masked_fill(~mask, -math.inf).masked_fill(empty, 0.0)  # (…, S)
    return torch.softmax(scores, dim=-1).masked_fill(empty, 0.0)


def causal_mask(n: int) -> Tensor:
    """Which keys a position may attend to when it must not see what follows it.

    Args:
        n: Number of positions.

    Returns:
        `(n, n)` bool; entry (i, j) is True where query i may attend to key j, that is j ≤ i.

    Source:
        Vaswani et al. 2017, section 3.2.3.

    >>> causal_mask(3).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    return torch.ones(n, n, dtype=torch.bool).tril()


def padding_mask(lengths: Tensor, n: int) -> Tensor:
    """Which keys are real tokens, in a batch that was padded to one length.

    Args:
        lengths: `(B,)` integers, 0 ≤ length ≤ n: the number of real tokens, which come first.
        n: Padded length.

    Returns:
        `(B, 1, 1, n)` bool, True for real tokens; broadcasts over heads and queries.

    Raises:
        ValueError: Where lengths is not one-dimensional, or a length is outside 0 … n.

    >>> padding_mask(torch.tensor([2, 0]), 3).squeeze()
    tensor([[ True,  True, False],
            [False, False, False]])
    """
    if lengths.ndim != 1:
        raise ValueError(f"lengths should have shape (B,), not {tuple(lengths.shape)}")
    if lengths.numel() and not 0 <= int(lengths.min()) <= int(lengths.max()) <= n:
        raise ValueError(f"lengths from {int(lengths.min())} to {int(lengths.max())} do not lie in 0 … {n}")
    real = torch.arange(n, device=lengths.device) < lengths.unsqueeze(-1)  # (B, n)
    return real[:, None, None, :]  # (B, 1, 1, n)


def score_variance(d_k: int, num_samples: int, generator: torch.Generator | None = None) -> float:
    """How far dot products of random vectors spread.

    Args:
        d_k: Width of the vectors.
        num_samples: Number of independent pairs, at least 2.
        generator: Source of randomness; None takes torch's global one.

    Returns:
        Unbiased sample variance of q·k over the pairs, for standard normal q and k. Its expectation is d_k.

    Raises:
        ValueError: For fewer than 2 samples.

    Source:
        Vaswani et al. 2017, section 3.2.1, footnote 4.
    """
    if num_samples < 2:
        raise ValueError(f"an unbiased variance needs at least 2 samples, not {num_samples}")
    q = torch.randn(num_samples, d_k, generator=generator)  # (samples, D)
    k = torch.randn(num_samples, d_k, generator=generator)  # (samples, D)
    return (q * k).sum(dim=-1).var(correction=1).item()


def softmax_jacobian_norm(scores: Tensor) -> float:
    """How much a softmax can still move: the size of its derivative.

    Args:
        scores: `(S,)`, the scores of one query.

    Returns:
        Frobenius norm of the Jacobian ∂p_i/∂s_j = p_i (δ_ij − p_j). It is 0 where softmax is saturated.

    Raises:
        ValueError: Where scores is not one vector.

    >>> round(softmax_jacobian_norm(torch.tensor([0.0, 0.0])), 3)  # p = (½, ½): four entries of ±¼
    0.5
    """
    if scores.ndim != 1:
        raise ValueError(f"scores should have shape (S,), not {tuple(scores.shape)}")
    p = torch.softmax(scores, dim=0)  # (S,)
    jacobian = torch.diag(p) - torch.outer(p, p)  # (S, S)
    return jacobian.norm().item()


def permutation_gap(attend: Callable[[Tensor], Tensor], x: Tensor, perm: Tensor) -> float:
    """How far a layer is from treating its input as a set.

    Args:
        attend: Maps `(B, n, d)` to `(B, n, d)`.
        x: `(B, n, d)`.
        perm: `(n,)` int64, an order of the positions.

    Returns:
        max |attend(x)[:, perm] − attend(x[:, perm])|; 0 for a permutation-equivariant layer.

    Raises:
        ValueError: Where perm does not have one entry per position.
    """
    if perm.numel() != x.shape[1]:
        raise ValueError(f"perm has {perm.numel()} entries, but x has {x.shape[1]} positions")
    return (attend(x)[:, perm] - attend(x[:, perm])).abs().max().item()


def layer_cost(kind: str, n: int, d: int, kernel: int = 3) -> dict[str, int]:
    """Leading-order cost of one layer that maps `(n, d)` to `(n, d)`. A multiply–add counts as 2 FLOPs.

    Args:
        kind: "rnn", "cnn" (centred, not dilated) or "attention" (without its projections).
        n: Length, at least 2.
        d: Width.
        kernel: Width of the convolution, odd, at least 3.

    Returns:
        `flops` of one layer; `sequential_steps`, which must wait for each other; `path_length`, the number of
        steps that a signal takes between the two ends. For "cnn" that is a number of stacked layers.

    Raises:
        ValueError: For another kind, n < 2, or a kernel that is even or below 3.

    Source:
        Vaswani et al. 2017, table 1 and section 4.

    >>> layer_cost("attention", 10, 4)
    {'flops': 1600, 'sequential_steps': 1, 'path_length': 1}
    """
    if n < 2:
        raise ValueError(f"a path needs two ends: n is {n}, at least 2 is needed")
    if kernel < 3 or kernel % 2 == 0:
        raise ValueError(f"kernel is {kernel}; an odd number of at least 3 is needed")
    if kind == "rnn":  # per step: input and state each times a d×d matrix
        return {"flops": 4 * n * d**2, "sequential_steps": n, "path_length": n - 1}
    if kind == "cnn":  # per position: `kernel` matrices d×d; each layer reaches (kernel−1)/2 further to a side
        layers = -(-2 * (n - 1) // (kernel - 1))  # division rounded up
        return {"flops": 2 * kernel * n * d**2, "sequential_steps": 1, "path_length": layers}
    if kind == "attention":  # q kᵀ and weights·v: each n·n·d multiply–adds
        return {"flops": 4 * n**2 * d, "sequential_steps": 1, "path_length": 1}
    raise ValueError(f"kind is {kind!r}; known are 'rnn', 'cnn' and 'attention'")


def crossover_length(d: int) -> int:
    """The length at which attention costs what a recurrent layer costs: 4n²d = 4nd².

    Args:
        d: Width.

    Returns:
        The length n. Below it attention needs fewer FLOPs, above it more.
    """
    return d


def previous_token_scores(n: int) -> tuple[Tensor, Tensor]:
    """Queries and keys, set by hand, that make every position look at the one before it.

    Args:
        n: Number of positions, 1 to 512.

    Returns:
        q and k, each `(n, d)` with d = n here. Under the causal mask and scaled dot-product attention position t ≥ 1
        puts at least 0.99 of its weight on t − 1.
    """
    # Key j is the j-th unit vector, so q·k_j reads entry j of the query: one-hot addresses.
    k = torch.eye(n)  # (n, n)
    # A lead of m over at most n−1 rivals at score 0 leaves the winner e^m / (e^m + n − 1); m = 12 is 0.997 at n = 512.
    # The scores are divided by √d, so the queries are made √d longer.
    q = 12.0 * math.sqrt(n) * torch.eye(n).roll(1, dims=0)  # row t is unit vector t − 1
    return q, k
