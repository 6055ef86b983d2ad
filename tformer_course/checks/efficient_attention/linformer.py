"""linformer_attention."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from ...models import efficient_attention as reference
from ..attention.broken import exp_by_hand
from ..core.exercise import Case, Exercise, Mistake
from .linear import draw_qkv


def _linformer(
    scale: Callable = lambda q, e: 1 / math.sqrt(q.shape[-1]), swap: bool = False, same: str = "", axis: int = -1
) -> Callable:
    def linformer_attention(q, k, v, e, f):
        e, f = (f, e) if swap else (e, f)
        e, f = (e, e) if same == "e" else (f, f) if same == "f" else (e, f)
        weights = torch.softmax(q @ (e @ k).transpose(-2, -1) * scale(q, e), dim=axis)
        return weights @ (f @ v)

    return linformer_attention


def _queries_projected(q, k, v, e, f):
    """Mixes the queries as well, and spreads the result back so that the shape fits."""
    weights = torch.softmax((e @ q) @ (e @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ (f @ v)


def _queries_instead_of_keys(q, k, v, e, f):
    return torch.softmax((e @ q) @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v


def _overflow(q, k, v, e, f):
    return exp_by_hand(q @ (e @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), None) @ (f @ v)


def _scaled_by_value_width(q, k, v, e, f):
    return torch.softmax(q @ (e @ k).transpose(-2, -1) / math.sqrt(v.shape[-1]), dim=-1) @ (f @ v)


def _keys_only(q, k, v, e, f):
    scores = q @ (e @ k).transpose(-2, -1) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, -1) @ v[..., : e.shape[0], :]


def _softmax_then_mixed(q, k, v, e, f):
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ e.T @ (f @ v)


def _no_softmax(q, k, v, e, f):
    return q @ (e @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]) @ (f @ v)


def _mixed(draw, *lead: int, t: int = 6, s: int = 6, dtype=torch.float64) -> list[Tensor]:
    return [
        *draw_qkv(draw, *lead, t=t, s=s, dtype=dtype),
        draw.normal(2, s, dtype=dtype),
        draw.normal(2, s, dtype=dtype),
    ]


LINFORMER_ATTENTION = Exercise(
    name="linformer_attention",
    points=1,
    reference=reference.linformer_attention,
    cases=(
        Case("values", lambda draw: _mixed(draw, 2), grad=True),
        Case("fewer queries than keys", lambda draw: _mixed(draw, 2, 2, t=5, s=8)),
        Case("large scores", lambda draw: [1000.0 * (m := _mixed(draw, 2))[0], *m[1:]]),
        Case("float32", lambda draw: _mixed(draw, dtype=torch.float32)),
    ),
    mistakes=(
        Mistake(
            "queries_projected",
            "you mix the queries along the sequence too, so the output has k_len rows. How many outputs must there be?",
            _queries_projected,
        ),
        Mistake(
            "queries_instead_of_keys",
            "you mix the queries, and leave keys and values as they are. Which two are to become shorter?",
            _queries_instead_of_keys,
        ),
        Mistake(
            "overflow",
            "large scores give NaN: exp overflows. Which function of torch subtracts the maximum first?",
            _overflow,
        ),
        Mistake(
            "scaled_by_k_len",
            "you scale by the square root of k_len. Over which axis is a score summed?",
            _linformer(lambda q, e: 1 / math.sqrt(e.shape[0])),
        ),
        Mistake(
            "scaled_by_value_width",
            "you scale by the square root of the width of a value. Over which axis is a score summed?",
            _scaled_by_value_width,
        ),
        Mistake(
            "scaled_by_length",
            "you scale by the square root of the number of keys. Over which axis is a score summed?",
            _linformer(lambda q, e: 1 / math.sqrt(e.shape[1])),
        ),
        Mistake(
            "no_scaling",
            "your scores are not scaled. What does attention divide them by in this chapter?",
            _linformer(lambda q, e: 1.0),
        ),
        Mistake(
            "swapped", "you mix the keys with f and the values with e. Which belongs to which?", _linformer(swap=True)
        ),
        Mistake(
            "e_for_both",
            "you mix the values with e, the keys' matrix. Which matrix is theirs?",
            _linformer(same="e"),
        ),
        Mistake(
            "f_for_both",
            "you mix the keys with f, the values' matrix. Which matrix is theirs?",
            _linformer(same="f"),
        ),
        Mistake(
            "softmax_over_queries",
            "your weights sum to 1 over the queries. Which axis does softmax run over?",
            _linformer(axis=-2),
        ),
        Mistake(
            "values_not_mixed",
            "you use the first k_len values as they are. What does f do?",
            _keys_only,
        ),
        Mistake(
            "softmax_before_mixing",
            "your softmax runs over all S keys, and only then the weights are mixed: nothing is saved. What is mixed "
            "in Linformer, weights or keys?",
            _softmax_then_mixed,
        ),
        Mistake(
            "no_softmax",
            "your weights are the scaled scores. Linformer keeps the softmax: where does it stand?",
            _no_softmax,
        ),
    ),
)
