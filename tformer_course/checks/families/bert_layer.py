"""BertLayer."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from ...models.families import bert as reference
from ..attention.broken import exp_by_hand, weigh
from ..block.weights import names_fit
from ..core.exercise import Case, Mistake
from .by_hand import ByHand
from .llama import load, parameter_shapes, sharp


def bert_weights(draw, width: int, hidden: int, dtype=torch.float64) -> dict[str, Tensor]:
    """Random weights of a BertLayer, by parameter name."""
    weights = {}
    shapes = {
        "attention.self.query": (width, width),
        "attention.self.key": (width, width),
        "attention.self.value": (width, width),
        "attention.output.dense": (width, width),
        "intermediate.dense": (hidden, width),
        "output.dense": (width, hidden),
    }
    for name, (rows, columns) in shapes.items():
        weights[f"{name}.weight"] = draw.normal(rows, columns, dtype=dtype, scale=1.3 / math.sqrt(columns))
        weights[f"{name}.bias"] = draw.normal(rows, dtype=dtype, scale=0.5)
    for name in ("attention.output.LayerNorm", "output.LayerNorm"):
        weights[f"{name}.weight"] = draw.normal(width, dtype=dtype, scale=0.3) + 1
        weights[f"{name}.bias"] = draw.normal(width, dtype=dtype, scale=0.3)
    return weights


def wanted_shapes(width: int, heads: int, hidden: int) -> list[str]:
    """What `parameter_shapes` should give for a BertLayer."""
    square = [f"attention.{n}" for n in ("self.query", "self.key", "self.value", "output.dense")]
    rows = dict.fromkeys(square, (width, width))
    rows |= {"intermediate.dense": (hidden, width), "output.dense": (width, hidden)}
    found = [f"{n}.weight {s}" for n, s in rows.items()] + [f"{n}.bias {(s[0],)}" for n, s in rows.items()]
    norms = [f"{n}.LayerNorm.{k} {(width,)}" for n in ("attention.output", "output") for k in ("weight", "bias")]
    return sorted(found + norms)


def slow_layer(w: dict[str, Tensor], x: Tensor, heads: int, mask=None, eps=1e-12, how=None) -> Tensor:
    """A layer of BERT from its weights alone, head by head; `how` puts mistakes in."""
    how = how or {}
    width = x.shape[-1]
    size = width // heads

    def linear(h, name):
        return h @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(h, name):
        return F.layer_norm(h, (width,), w[f"{name}.LayerNorm.weight"], w[f"{name}.LayerNorm.bias"], eps)

    def attend(h):
        q, k, v = (linear(h, f"attention.self.{n}") for n in ("query", "key", "value"))
        allowed = None if mask is None or how.get("mask") == "dropped" else mask
        if allowed is not None and how.get("mask") == "inverted":
            allowed = ~allowed
        outputs = []
        for head in range(heads):
            q1, k1, v1 = (t[..., head * size : (head + 1) * size] for t in (q, k, v))
            scores = q1 @ k1.transpose(-2, -1) / math.sqrt({"none": 1, "d_model": width}.get(how.get("scale"), size))
            if how.get("mask") == "causal":
                scores = scores.masked_fill(torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
            if allowed is not None:
                full = allowed.expand(*x.shape[:-2], heads, *scores.shape[-2:])[..., head, :, :]
                if how.get("mask") == "small_number":
                    scores = scores + torch.where(full, 0.0, -1.0)
                else:
                    # An empty row gives zeros: softmax over −inf alone would be NaN.
                    empty = ~full.any(-1, keepdim=True)
                    seen, scores = scores, scores.masked_fill(~full, -1e4 if how.get("mask") == "low" else -math.inf)
                    scores = scores if how.get("mask") == "nan" else scores.masked_fill(empty, 0.0)
            weights = exp_by_hand(scores, None) if how.get("exp") else scores.softmax(-1)
            if how.get("mask") == "renormalised" and allowed is not None:
                weights = weigh(seen, full, masking="renormalised")
            if allowed is not None and how.get("mask") not in ("small_number", "nan"):
                weights = weights.masked_fill(empty, 0.0)
            outputs.append(weights @ v1)
        return linear(torch.cat(outputs, -1), "attention.output.dense")

    acts = {"tanh": lambda h: F.gelu(h, approximate="tanh"), "relu": F.relu, "silu": F.silu}
    act = acts.get(how.get("act"), F.gelu)

    def ffn(h):
        return linear(act(linear(h, "intermediate.dense")), "output.dense")

    flow, one, two = how.get("flow"), "attention.output", "output"
    if flow == "pre":
        x = x + attend(norm(x, one))
        return x + ffn(norm(x, two))
    if flow == "on_the_branch":
        x = x + norm(attend(x), one)
        return x + norm(ffn(x), two)
    if flow == "no_norm":
        return x + attend(x) + ffn(x + attend(x))
    if flow == "no_residual":
        return norm(ffn(norm(attend(x), one)), two)
    y = norm(x + attend(x), two if flow == "norms_swapped" else one)
    z = (x if flow == "residual_from_the_start" else y) + ffn(y)
    if flow == "no_last_norm":
        return z
    return norm(z, one if flow in ("norms_swapped", "one_norm") else two)


def _wrong_layer(eps_fixed=None, **how):
    class BertLayer(reference.BertLayer):
        def __init__(self, d_model, num_heads, d_ff, eps=1e-12):
            super().__init__(d_model, num_heads, d_ff, eps)
            self.eps = eps if eps_fixed is None else eps_fixed

        def forward(self, x, mask=None):
            return slow_layer(dict(self.named_parameters()), x, self.num_heads, mask, self.eps, how)

    return BertLayer


def _faint(weights):
    """The same with branches so faint that eps decides."""
    return {k: v if "LayerNorm" in k else v * (1e-3 if k.endswith("weight") else 0.0) for k, v in weights.items()}


def _layer(answer, weights, x, heads, mask=None, eps=1e-12):
    hidden, width = weights["intermediate.dense.weight"].shape
    module = load(answer(width, heads, hidden, eps), weights)
    return module(x) if mask is None else module(x, mask)


BERT_LAYER = ByHand(
    name="BertLayer",
    points=1.5,
    reference=reference.BertLayer,
    cases=(
        Case("parameters", lambda draw: [6, 2, 10], holds=names_fit(reference.BertLayer), call=parameter_shapes),
        Case(
            "values",
            lambda draw: [bert_weights(draw, 6, 10), draw.normal(2, 5, 6), 2],
            slow_layer,
            call=_layer,
            grad=True,
        ),
        Case(
            "a padding mask",
            lambda draw: [bert_weights(draw, 6, 10), draw.normal(3, 5, 6), 3, draw.mask(3, 1, 1, 5, keep=0.5)],
            slow_layer,
            call=_layer,
            grad=True,
        ),
        Case(
            "rows that may see nothing",
            lambda draw: [
                bert_weights(draw, 6, 10),
                draw.normal(2, 5, 6),
                2,
                draw.mask(2, 2, 5, 5, keep=0.5) & (torch.arange(5) != 3)[:, None],
            ],
            slow_layer,
            call=_layer,
        ),
        Case(
            "large scores",
            lambda draw: [
                sharp(bert_weights(draw, 6, 10)),
                draw.normal(20, 5, 6),
                2,
                draw.mask(20, 1, 1, 5, keep=0.5),
            ],
            slow_layer,
            call=_layer,
        ),
        Case(
            "another eps",
            lambda draw: [bert_weights(draw, 6, 10), draw.normal(2, 5, 6), 2, None, 0.5],
            slow_layer,
            call=_layer,
        ),
        Case(
            "the default eps",
            lambda draw: [_faint(bert_weights(draw, 6, 10)), draw.normal(2, 5, 6, scale=1e-4)],
            lambda w, x: slow_layer(w, x, 2),
            call=lambda answer, w, x: load(answer(6, 2, 10), w)(x),
        ),
    ),
    mistakes=(
        Mistake("pre_norm", "you normalise before the branch. Where do BERT's norms stand?", _wrong_layer(flow="pre")),
        Mistake(
            "norm_on_the_branch",
            "you normalise the branch and then add. What does post-norm normalise?",
            _wrong_layer(flow="on_the_branch"),
        ),
        Mistake(
            "no_residual",
            "nothing is added to x. What does each norm normalise: the branch alone, or a sum?",
            _wrong_layer(flow="no_residual"),
        ),
        Mistake(
            "residual_from_the_start",
            "the second branch is added to the layer's input. To what should it be added?",
            _wrong_layer(flow="residual_from_the_start"),
        ),
        Mistake(
            "last_norm_missing",
            "the last norm is missing. What follows the second addition?",
            _wrong_layer(flow="no_last_norm"),
        ),
        Mistake("no_norms", "nothing is normalised. What follows each addition?", _wrong_layer(flow="no_norm")),
        Mistake(
            "one_norm_for_both",
            "attention.output.LayerNorm normalises twice. Which norm comes last?",
            _wrong_layer(flow="one_norm"),
        ),
        Mistake(
            "norms_swapped",
            "the two norms are swapped. Which one belongs to the attention?",
            _wrong_layer(flow="norms_swapped"),
        ),
        Mistake("tanh_gelu", "your GELU is the tanh approximation. Which one has BERT?", _wrong_layer(act="tanh")),
        Mistake("relu", "you use ReLU. Which activation has BERT?", _wrong_layer(act="relu")),
        Mistake("silu", "you use SiLU. Which activation has BERT?", _wrong_layer(act="silu")),
        Mistake("mask_dropped", "the mask changes nothing. Where does it act?", _wrong_layer(mask="dropped")),
        Mistake(
            "mask_inverted",
            "you hide what the mask allows. What does True mean in this course?",
            _wrong_layer(mask="inverted"),
        ),
        Mistake(
            "low_score",
            "scores far below zero lie under the number that you put at hidden ones. Which number is below all?",
            _wrong_layer(mask="low"),
        ),
        Mistake(
            "renormalised",
            "you mask after the softmax and divide again: where hidden keys had all the weight, nothing is left. Where "
            "must the mask act?",
            _wrong_layer(mask="renormalised"),
        ),
        Mistake(
            "overflow", "large scores give NaN: exp overflows. What subtracts the maximum?", _wrong_layer(exp=True)
        ),
        Mistake(
            "nan_in_empty_rows",
            "a row that may see nothing gives NaN. What should its weights be?",
            _wrong_layer(mask="nan"),
        ),
        Mistake("causal", "your layer hides the future. Does an encoder?", _wrong_layer(mask="causal")),
        Mistake("no_scaling", "your scores are not scaled. By what are they divided?", _wrong_layer(scale="none")),
        Mistake(
            "scaled_by_d_model",
            "your scores are divided by √C. How wide is a query of one head?",
            _wrong_layer(scale="d_model"),
        ),
        Mistake("eps_fixed", "your eps is not the argument. Where must it arrive?", _wrong_layer(eps_fixed=1e-12)),
        Mistake("other_eps", "your eps is 1e-5, torch's default. Which one has BERT?", _wrong_layer(eps_fixed=1e-5)),
    ),
)
