"""MultiHeadAttention: the layer with its four linear maps."""

from __future__ import annotations

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_heads as wrong


def weights_of(draw, width: int, bias: bool = True) -> dict[str, torch.Tensor]:
    """Weights for the four layers, by the names of the exercise."""
    found = {}
    for name in ("w_q", "w_k", "w_v", "w_o"):
        found[f"{name}.weight"] = draw.normal(width, width, scale=width**-0.5)
        if bias:
            found[f"{name}.bias"] = draw.normal(width)
    return found


def with_weights(answer, weights, heads, x, *, bias=True, **others):
    """Output and weights of an answer's module that was given these weights. They are asked for by keyword."""
    module = answer(x.shape[-1], heads, bias=bias).to(x.dtype)
    return torch.func.functional_call(module, weights, (x,), {**others, "return_weights": True}, strict=True)


def output_alone(answer, weights, heads, x):
    module = answer(x.shape[-1], heads).to(x.dtype)
    output = torch.func.functional_call(module, weights, (x,), strict=True)
    return output[0] if isinstance(output, tuple) else output


def parameter_shapes(answer, width, heads, bias):
    module = answer(width, heads, bias=bias)
    return sorted(f"{name} {tuple(p.shape)}" for name, p in module.named_parameters())


def named_layers(found: list[str], width: int, heads: int, bias: bool) -> bool | str:
    """Whether the parameters are those of the four layers; the sentence says which are missing or too many."""
    wanted = [f"w_{name}.weight {(width, width)}" for name in "koqv"]
    wanted += [f"w_{name}.bias {(width,)}" for name in "koqv"] if bias else []
    missing = ", ".join(p for p in wanted if p not in found)
    extra = ", ".join(p for p in found if p not in wanted)
    if missing:
        return f"missing: {missing}" + (f"; found instead: {extra}" if extra else "")
    return f"too many: {extra}" if extra else True


def keys_for_some(draw, samples: int, keys: int) -> torch.Tensor:
    """A mask `(samples, 1, 1, keys)`: the last sample may attend to nothing, the others lack one key."""
    mask = torch.ones(samples, 1, 1, keys, dtype=torch.bool)
    mask[:, :, :, draw.integer(0, keys - 1)] = False
    mask[-1] = False
    return mask


MULTI_HEAD_ATTENTION = Exercise(
    name="MultiHeadAttention",
    points=3,
    reference=reference.MultiHeadAttention,
    cases=(
        Case("parameters", lambda draw: [12, 3, True], call=parameter_shapes, holds=named_layers),
        Case("no biases", lambda draw: [8, 2, False], call=parameter_shapes, holds=named_layers),
        # C = 12, H = 3: √C, √D and √H are three different divisors; T = 5.
        Case(
            "self-attention",
            lambda draw: [weights_of(draw, 12), 3, draw.normal(2, 5, 12)],
            call=lambda answer, w, h, x: with_weights(answer, w, h, x),
            grad=True,
        ),
        Case("without weights", lambda draw: [weights_of(draw, 12), 3, draw.normal(1, 5, 12)], call=output_alone),
        Case(
            "context",
            lambda draw: [weights_of(draw, 8), 2, draw.normal(2, 5, 8), draw.normal(2, 5, 8)],
            call=lambda answer, w, h, x, context: with_weights(answer, w, h, x, context=context),
            grad=True,
        ),
        Case(
            "longer context",
            lambda draw: [weights_of(draw, 8), 2, draw.normal(2, 4, 8), draw.normal(2, 6, 8)],
            call=lambda answer, w, h, x, context: with_weights(answer, w, h, x, context=context),
        ),
        Case(
            "mask",
            lambda draw: [weights_of(draw, 12), 3, draw.normal(2, 5, 12), draw.mask(2, 1, 5, 5, keep=0.5)],
            call=lambda answer, w, h, x, mask: with_weights(answer, w, h, x, mask=mask),
            grad=True,
        ),
        Case(
            "mask per head",
            lambda draw: [weights_of(draw, 12), 3, draw.normal(2, 5, 12), draw.mask(3, 5, 5, keep=0.5)],
            call=lambda answer, w, h, x, mask: with_weights(answer, w, h, x, mask=mask),
        ),
        Case(
            "context and mask",
            lambda draw: [weights_of(draw, 8), 2, *(draw.normal(2, n, 8) for n in (4, 6)), draw.mask(2, 1, 4, 6)],
            call=lambda answer, w, h, x, context, mask: with_weights(answer, w, h, x, context=context, mask=mask),
        ),
        Case(
            "a sample that may attend to nothing",
            lambda draw: [weights_of(draw, 8), 2, draw.normal(2, 4, 8), keys_for_some(draw, 2, 4)],
            call=lambda answer, w, h, x, mask: with_weights(answer, w, h, x, mask=mask),
        ),
        Case(
            "scores of ±10⁵, half of them hidden",
            lambda draw: [weights_of(draw, 8), 2, draw.normal(2, 5, 8, scale=300.0), draw.mask(2, 1, 5, 5, keep=0.5)],
            call=lambda answer, w, h, x, mask: with_weights(answer, w, h, x, mask=mask),
        ),
    ),
    mistakes=(
        Mistake(
            "scaled_by_model_width",
            "you divide the scores by √d_model. How wide are the vectors that one head multiplies?",
            wrong.ScaledByModelWidth,
        ),
        Mistake(
            "not_scaled",
            "your scores are not scaled. What does each head divide q·k by?",
            wrong.NotScaled,
        ),
        Mistake(
            "softmax_over_queries",
            "your softmax runs over the queries. Over which axis must the weights of one query sum to 1?",
            wrong.SoftmaxOverQueries,
        ),
        Mistake(
            "no_output_projection",
            "the heads are side by side, but w_o is missing. What mixes what the heads have found?",
            wrong.NoOutputProjection,
        ),
        Mistake(
            "context_as_query",
            "your queries come from the context, your keys and values from x. Who asks, and who is asked?",
            wrong.ContextAsQuery,
        ),
        Mistake(
            "queries_from_context",
            "your queries come from the context, too. Who asks, and who is asked?",
            wrong.QueriesFromContext,
        ),
        Mistake(
            "context_ignored",
            "the context changes nothing in your output. Which of q, k, v are made from it?",
            wrong.ContextIgnored,
        ),
        Mistake(
            "values_from_x",
            "your keys come from the context, your values from x. A weight on key j must fetch the value of which "
            "position?",
            wrong.ValuesFromX,
        ),
        Mistake(
            "mask_on_first_head",
            "your mask reaches head 0 only. Which axis of (B, H, T, S) must it broadcast over?",
            wrong.MaskOnFirstHead,
        ),
        Mistake(
            "mask_inverted",
            "you hide what the mask allows. In this course, what does True mean? (nn.MultiheadAttention has it the "
            "other way round.)",
            wrong.MaskInverted,
        ),
        Mistake(
            "mask_not_for_context",
            "with a context your mask changes nothing. Does it hide keys of x only?",
            wrong.MaskNotForContext,
        ),
        Mistake("mask_ignored", "the mask changes nothing in your output. Where does it go?", wrong.MaskIgnored),
        Mistake(
            "mask_unsqueezed",
            "you give the mask one more axis. It already broadcasts against (B, H, T, S); who adds a head axis where "
            "one is missing?",
            wrong.MaskUnsqueezed,
        ),
        Mistake(
            "renormalised",
            "you mask after the softmax and divide again: where hidden keys had all the weight, nothing is left to "
            "divide. Where must the mask act?",
            wrong.Renormalised,
        ),
        Mistake(
            "mask_after_softmax",
            "you mask after the softmax, so that the rows no longer sum to 1. Where must the mask act?",
            wrong.MaskAfterSoftmax,
        ),
        Mistake(
            "nan_in_empty_rows",
            "a query that may attend to nothing becomes NaN. Which weights should it have?",
            wrong.NanInEmptyRows,
        ),
        Mistake(
            "masked_with_minus_1e9",
            "a query that may attend to nothing looks at all keys alike: −1e9 is not −∞. Which weights should it have?",
            wrong.MaskedWithMinus1e9,
        ),
        Mistake(
            "merged_by_reshape",
            "you merge the heads by reshape alone, so tokens are mixed. Which helper of this chapter undoes "
            "split_heads?",
            wrong.MergedByReshape,
        ),
        Mistake(
            "weights_averaged",
            "the weights you return are averaged over the heads. Which shape is asked for?",
            wrong.WeightsAveraged,
        ),
        Mistake(
            "weights_detached",
            "the values are right, but no gradient flows through the weights you return. What cuts it off?",
            wrong.WeightsDetached,
        ),
        Mistake(
            "one_wide_head",
            "your module attends once over the whole width: all heads are one. Where do you split?",
            wrong.OneHeadOfEverything,
        ),
        Mistake(
            "output_bias_always",
            "with bias=False your w_o still has a bias. Which layers does `bias` cover?",
            wrong.BiasOnOutputAlways,
        ),
        Mistake("bias_always", "bias=False changes nothing in your layers. Where do you pass it on?", wrong.BiasAlways),
        Mistake(
            "overflow",
            "large scores give NaN: exp overflows. Which function of torch subtracts the maximum first?",
            wrong.Overflows,
        ),
        Mistake(
            "masked_with_low_score",
            "scores far below zero lie under the number that you put at hidden ones, so hidden keys win. Which number "
            "is below all scores?",
            wrong.MaskedWithLowScore,
        ),
    ),
)
