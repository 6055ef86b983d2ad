"""LlamaBlock."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ...models import llama as reference
from ..attention.broken import exp_by_hand
from ..block.weights import names_fit
from ..core.exercise import Case, Mistake
from .by_hand import ByHand, refuse_library_layers

# RoPE's tables are float32 in this course and in transformers, so float64 agrees to float32 accuracy only.
TOLERANCE = 2e-5


def llama_weights(draw, width: int, heads: int, kv_heads: int, hidden: int, dtype=torch.float64) -> dict[str, Tensor]:
    """Random weights of a LlamaBlock, by parameter name; large enough that the softmax is far from flat."""
    kv = width // heads * kv_heads
    shapes = {
        "self_attn.q_proj": (width, width),
        "self_attn.k_proj": (kv, width),
        "self_attn.v_proj": (kv, width),
        "self_attn.o_proj": (width, width),
        "mlp.gate_proj": (hidden, width),
        "mlp.up_proj": (hidden, width),
        "mlp.down_proj": (width, hidden),
    }
    weights = {
        f"{name}.weight": draw.normal(*s, dtype=dtype, scale=1.3 / math.sqrt(s[1])) for name, s in shapes.items()
    }
    for name in ("input_layernorm", "post_attention_layernorm"):
        weights[f"{name}.weight"] = draw.normal(width, dtype=dtype, scale=0.3) + 1
    return weights


def sharp(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The same with queries so long that scores reach ±10⁴."""
    return {name: w * 1e4 if "q_proj" in name or "query" in name else w for name, w in weights.items()}


def load(module: nn.Module, weights: dict[str, Tensor]):
    """A function that calls the module with these weights; other names of parameters are an error, buffers are free."""
    module = refuse_library_layers(module).to(next(iter(weights.values())).dtype)
    names = {name for name, _ in module.named_parameters()}
    if names != set(weights):
        odd = ", ".join(sorted(names ^ set(weights))[:4])
        raise ValueError(f"these parameters are missing, or have another name: {odd}")
    return lambda *args, **named: torch.func.functional_call(module, weights, args, named)


def parameter_shapes(answer, *sizes):
    """Names and shapes of all parameters."""
    module = refuse_library_layers(answer(*sizes))
    return sorted(f"{name} {tuple(p.shape)}" for name, p in module.named_parameters())


def wanted_shapes(width: int, heads: int, kv_heads: int, hidden: int) -> list[str]:
    """What `parameter_shapes` should give."""
    kv = width // heads * kv_heads
    return sorted(
        [f"self_attn.{p}_proj.weight {(rows, width)}" for p, rows in zip("qkvo", (width, kv, kv, width), strict=True)]
        + [f"mlp.{p}_proj.weight {(hidden, width)}" for p in ("gate", "up")]
        + [f"mlp.down_proj.weight {(width, hidden)}"]
        + [f"{n}.weight {(width,)}" for n in ("input_layernorm", "post_attention_layernorm")]
    )


def rotate_pairs(x: Tensor, base: float, interleaved: bool = False, sign: int = 1) -> Tensor:
    """RoPE by complex numbers: an expression that shares nothing with rotate-half."""
    half = x.shape[-1] // 2
    real, imag = (x[..., 0::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    angles = torch.arange(x.shape[-2])[:, None].double() * base ** (-torch.arange(half).double() / half)
    turned = torch.complex(real, imag) * torch.polar(torch.ones_like(angles), sign * angles).to(
        torch.complex128 if x.dtype == torch.float64 else torch.complex64
    )
    parts = (turned.real, turned.imag)
    return torch.stack(parts, -1).flatten(-2) if interleaved else torch.cat(parts, -1)


def slow_block(w: dict[str, Tensor], x: Tensor, heads: int, kv_heads: int, eps=1e-5, base=10000.0, how=None) -> Tensor:
    """A LLaMA block from its weights alone, head by head; `how` puts mistakes in."""
    how = how or {}
    length, width = x.shape[-2:]
    size = width // heads

    def norm(h, name):
        gain = w[f"{name}.weight"]
        if how.get("norm") == "layer":
            return F.layer_norm(h, (width,), gain, None, eps)
        mean = h.square().mean(-1, keepdim=True)
        return h / (mean.sqrt() + eps if how.get("norm") == "eps_outside" else (mean + eps).sqrt()) * gain

    def attend(h):
        q, k, v = (h @ w[f"self_attn.{p}_proj.weight"].T for p in "qkv")
        turn = how.get("rope", "qk")

        def rotated(t, what):
            if what not in turn and turn != "interleaved":
                return t
            if what == "v" and turn == "interleaved":
                return t
            return rotate_pairs(t, base, interleaved=turn == "interleaved", sign=-1 if "-" in turn else 1)

        outputs = []
        for head in range(heads):
            mine = head % kv_heads if how.get("groups") == "repeat" else head // (heads // kv_heads)
            q1 = rotated(q[..., head * size : (head + 1) * size], "q")
            k1, v1 = (t[..., mine * size : (mine + 1) * size] for t in (k, v))
            k1, v1 = rotated(k1, "k"), rotated(v1, "v")
            scale = {"none": 1.0, "d_model": math.sqrt(width)}.get(how.get("scale"), math.sqrt(size))
            scores = q1 @ k1.transpose(-2, -1) / scale
            if how.get("mask") != "none":
                future = torch.ones(length, length, dtype=torch.bool).triu(1 + (how.get("mask") == "one_ahead"))
                scores = scores.masked_fill(future, -1e4 if how.get("mask") == "low" else -math.inf)
            weights = exp_by_hand(scores, None) if how.get("exp") else scores.softmax(-1)
            outputs.append(weights @ v1)
        return torch.cat(outputs, -1) @ w["self_attn.o_proj.weight"].T

    def mlp(h):
        gate, up = h @ w["mlp.gate_proj.weight"].T, h @ w["mlp.up_proj.weight"].T
        kinds = {
            "up": lambda: gate * F.silu(up),
            "sigmoid": lambda: torch.sigmoid(gate) * up,
            "gelu": lambda: F.gelu(gate) * up,
            "no_up": lambda: F.silu(gate),
        }
        return kinds.get(how.get("mlp"), lambda: F.silu(gate) * up)() @ w["mlp.down_proj.weight"].T

    flow, one, two = how.get("flow"), "input_layernorm", "post_attention_layernorm"
    if flow == "post":
        return norm(norm(x + attend(x), one) + mlp(norm(x + attend(x), one)), two)
    if flow == "parallel":
        return x + attend(norm(x, one)) + mlp(norm(x, two))
    if flow == "residual_after_norm":
        x = norm(x, one)
        x = x + attend(x)
        x = norm(x, two)
        return x + mlp(x)
    if flow == "no_residual":
        return mlp(norm(attend(norm(x, one)), two))
    x = x + attend(norm(x, one))
    return x + mlp(norm(x, one if flow == "one_norm" else two))


def wrong(eps_fixed: bool = False, base_fixed: bool = False, kv_ignored: bool = False, **how):
    """A LlamaBlock with something wrong in it."""

    class LlamaBlock(reference.LlamaBlock):
        def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
            super().__init__(d_model, num_heads, num_heads if kv_ignored else num_kv_heads, d_ff, eps, rope_base)
            self.sizes = num_heads, num_kv_heads, 1e-6 if eps_fixed else eps, 10000.0 if base_fixed else rope_base

        def forward(self, x):
            return slow_block(dict(self.named_parameters()), x, *self.sizes, how=how)

    return LlamaBlock


def _block(answer, weights, x, heads, kv_heads, eps=1e-5, base=10000.0):
    hidden, width = weights["mlp.gate_proj.weight"].shape
    return load(answer(width, heads, kv_heads, hidden, eps, base), weights)(x)


def _draw(heads, kv_heads, eps=1e-5, base=10000.0, change=dict):
    """Inputs of `_block`; small ones, so that eps and where it stands can be seen."""
    return lambda draw: [
        change(llama_weights(draw, 4 * heads, heads, kv_heads, 10)),
        draw.normal(2, 6, 4 * heads),
        heads,
        kv_heads,
        eps,
        base,
    ]


LLAMA_BLOCK = ByHand(
    name="LlamaBlock",
    points=3,
    reference=reference.LlamaBlock,
    helpers=(reference.GroupedAttention, reference.SwiGLU, reference.RMSNorm, reference.attend_grouped),
    cases=(
        Case("parameters", lambda draw: [12, 6, 2, 10], holds=names_fit(reference.LlamaBlock), call=parameter_shapes),
        Case("as many key-value heads as heads", _draw(2, 2), slow_block, call=_block, grad=True, tol=TOLERANCE),
        Case("grouped heads", _draw(6, 2), slow_block, call=_block, tol=TOLERANCE),
        Case("one key-value head", _draw(3, 1), slow_block, call=_block, tol=TOLERANCE),
        Case("large scores", _draw(3, 3, change=sharp), slow_block, call=_block, tol=0.03),
        Case("another eps", _draw(2, 1, eps=0.3), slow_block, call=_block, tol=TOLERANCE),
        Case("another rope_base", _draw(2, 1, base=20.0), slow_block, call=_block, tol=TOLERANCE),
        Case(
            "the defaults",
            lambda draw: [llama_weights(draw, 8, 2, 2, 12), draw.normal(2, 5, 8, scale=0.003)],
            lambda w, x: slow_block(w, x, 2, 2),
            call=lambda answer, w, x: load(answer(8, 2, 2, 12), w)(x),
            tol=TOLERANCE,
        ),
    ),
    mistakes=(
        Mistake(
            "interleaved_rope",
            "your RoPE turns neighbouring columns. Which columns form a pair in LLaMA's layout: i and i + 1, or i and "
            "i + D/2?",
            wrong(rope="interleaved"),
        ),
        Mistake(
            "values_rotated",
            "you turn the values too. Which two of q, k, v meet in a dot product?",
            wrong(rope="qkv"),
        ),
        Mistake("only_queries_rotated", "you turn the queries alone. What must be turned as well?", wrong(rope="q")),
        Mistake("only_keys_rotated", "you turn the keys alone. What must be turned as well?", wrong(rope="k")),
        Mistake("no_rope", "your block knows no order: nothing is turned. Where does RoPE act?", wrong(rope="")),
        Mistake(
            "turned_backwards",
            "your queries and keys turn one against the other. Do both turn by their own position?",
            wrong(rope="q-"),
        ),
        Mistake(
            "layer_norm",
            "you subtract the mean. Which norm does LLaMA use?",
            wrong(norm="layer"),
        ),
        Mistake(
            "eps_outside_the_root",
            "eps stands outside the root. To what is it added?",
            wrong(norm="eps_outside"),
        ),
        Mistake(
            "silu_on_the_up_branch",
            "SiLU acts on the up branch. Which of the two products is the gate?",
            wrong(mlp="up"),
        ),
        Mistake(
            "sigmoid_gate", "your gate is a plain sigmoid. Which activation does SwiGLU have?", wrong(mlp="sigmoid")
        ),
        Mistake("gelu_gate", "your gate uses GELU. Which activation does SwiGLU have?", wrong(mlp="gelu")),
        Mistake(
            "up_unused", "up_proj changes nothing in your result. What does the gate multiply?", wrong(mlp="no_up")
        ),
        Mistake(
            "not_causal",
            "positions see what follows them. Who brings the causal mask: the block or its caller?",
            wrong(mask="none"),
        ),
        Mistake(
            "one_ahead",
            "each position sees one position too many. On which diagonal does the mask begin?",
            wrong(mask="one_ahead"),
        ),
        Mistake(
            "low_score",
            "scores far below zero lie under the number that you put at hidden ones. Which number is below all?",
            wrong(mask="low"),
        ),
        Mistake("overflow", "large scores give NaN: exp overflows. What subtracts the maximum?", wrong(exp=True)),
        Mistake(
            "repeat",
            "your key-value heads go round in turn. Which query heads share one: neighbours, or every G-th?",
            wrong(groups="repeat"),
        ),
        Mistake("no_scaling", "your scores are not scaled. By what are they divided?", wrong(scale="none")),
        Mistake(
            "scaled_by_d_model",
            "your scores are divided by √C. How wide is a query of one head?",
            wrong(scale="d_model"),
        ),
        Mistake("post_norm", "you normalise after the addition. Where do LLaMA's norms stand?", wrong(flow="post")),
        Mistake(
            "residual_after_norm",
            "your residual starts after the norm. What is added to the branch: x or its norm?",
            wrong(flow="residual_after_norm"),
        ),
        Mistake(
            "no_residual",
            "nothing is added to the stream. What stays when a branch gives 0?",
            wrong(flow="no_residual"),
        ),
        Mistake(
            "parallel_branches",
            "both branches read the block's input. What should the feed-forward network read?",
            wrong(flow="parallel"),
        ),
        Mistake(
            "one_norm_for_both",
            "input_layernorm normalises both branches. Which norm belongs to the feed-forward network?",
            wrong(flow="one_norm"),
        ),
        Mistake("eps_fixed", "your eps is not the argument. Where must it arrive?", wrong(eps_fixed=True)),
        Mistake("base_fixed", "rope_base changes nothing. Where must it arrive?", wrong(base_fixed=True)),
        Mistake(
            "as_many_kv_heads",
            "k_proj and v_proj are as wide as q_proj. How many key-value heads are there?",
            wrong(kv_ignored=True),
        ),
    ),
)
