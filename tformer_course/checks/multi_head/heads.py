"""split_heads, merge_heads, MultiHeadAttention, grouped_query_attention and mha_cost."""

from __future__ import annotations

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import mistakes as wrong


def refuses(call, *numbers: int) -> str:
    """How a call that must fail does fail: the kind of error, and whether its text has the numbers."""
    try:
        call()
    except NotImplementedError:
        raise
    except ValueError as error:
        named = all(str(n) in str(error) for n in numbers)
        return "ValueError with both numbers" if named else "ValueError without the numbers"
    except Exception as error:
        return type(error).__name__
    return "no error"


SPLIT_HEADS = Exercise(
    name="split_heads",
    points=1,
    reference=reference.split_heads,
    cases=(
        Case(
            "by hand",
            lambda draw: [torch.arange(24.0).view(1, 4, 6), 2],
            expected=lambda x, h: torch.stack([x[..., :3], x[..., 3:]], dim=1),
        ),
        # n = 5, H = 4, D = 3: all sizes differ.
        Case("values", lambda draw: [draw.normal(2, 5, 12), 4], grad=True),
        Case("strided input", lambda draw: [draw.normal(2, 12, 5).transpose(1, 2), 3]),
        Case(
            "a width that does not divide",
            lambda draw: [draw.normal(2, 5, 10), 4],
            expected=lambda x, h: "ValueError with both numbers",
            call=lambda answer, x, h: refuses(lambda: answer(x, h), 10, 4),
        ),
    ),
    mistakes=(
        Mistake(
            "view_without_transpose",
            "a head of yours holds pieces of several tokens: the shape is right, the order is not. In which order do "
            "the numbers of (B, n, C) lie in memory, and which axis has to be cut before axes change places?",
            wrong.view_without_transpose,
        ),
        Mistake(
            "heads_interleaved",
            "your heads are dealt like cards: head 0 takes entries 0, H, 2H, … of a token. Which entries belong "
            "together when W_Q is cut into H blocks?",
            wrong.split_interleaved,
        ),
        Mistake(
            "heads_not_moved",
            "the width is cut, but the head axis still stands after the positions. Which axis must come second?",
            wrong.split_not_moved,
        ),
        Mistake(
            "sizes_swapped",
            "you made C/H heads of width H. Which of the two new axes counts the heads?",
            wrong.split_widths_swapped,
        ),
        Mistake(
            "rounded_down",
            "for a width that H does not divide you drop the rest of each token. What should the caller read instead?",
            wrong.split_rounded_down,
        ),
        Mistake(
            "no_check",
            "H does not divide C here, and torch's own error comes up. Raise a ValueError that says both numbers.",
            wrong.split_unchecked,
        ),
        Mistake(
            "assert",
            "you raise an AssertionError, which vanishes under `python -O`. Which kind of error is asked for?",
            wrong.split_asserts,
        ),
        Mistake(
            "numbers_missing",
            "your ValueError does not say both numbers. Which two would help the caller to see what is off?",
            wrong.split_says_no_numbers,
        ),
    ),
)

MERGE_HEADS = Exercise(
    name="merge_heads",
    points=1,
    reference=reference.merge_heads,
    cases=(
        Case(
            "by hand",
            lambda draw: [torch.arange(24.0).view(1, 2, 4, 3)],
            expected=lambda x: torch.cat([x[:, 0], x[:, 1]], dim=-1),
        ),
        Case("values", lambda draw: [draw.normal(2, 4, 5, 3)], grad=True),
        Case("strided input", lambda draw: [draw.normal(2, 5, 3, 4).permute(0, 3, 1, 2)], grad=True),
    ),
    mistakes=(
        Mistake(
            "no_transpose",
            "a token of yours holds pieces of several tokens: the shape is right, the order is not. Which two axes "
            "must change places before the last two become one?",
            wrong.merge_without_transpose,
        ),
        Mistake(
            "interleaved",
            "you deal the heads like cards: entries of all heads alternate. Which axis must be the last but one, heads "
            "or width, so that a head stays in one piece?",
            wrong.merge_interleaved,
        ),
        Mistake(
            "summed",
            "you add the heads up, and the width shrinks to D. What does concatenation do with them?",
            wrong.merge_by_sum,
        ),
        Mistake(
            "averaged",
            "you average the heads, and the width shrinks to D. What does concatenation do with them?",
            wrong.merge_by_mean,
        ),
        Mistake(
            "tokens_merged",
            "you lengthen the sequence instead of the vectors. Which axis grows by the factor H?",
            wrong.merge_tokens,
        ),
        Mistake(
            "squeezed",
            "you drop an axis of size 1: a batch of one sample keeps its batch axis.",
            wrong.merge_squeezes,
        ),
    ),
)


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
            "a width that does not divide",
            lambda draw: [512, 7],
            expected=lambda d, h: "ValueError with both numbers",
            call=lambda answer, d, h: refuses(lambda: answer(d, h), d, h),
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
            "no_check",
            "a module of width 512 with 7 heads is built without an error. Raise a ValueError that says both numbers.",
            wrong.NoCheck,
        ),
        Mistake(
            "numbers_missing",
            "your ValueError does not say both numbers. Which two would help the caller to see what is off?",
            wrong.NumbersMissing,
        ),
        Mistake(
            "assert",
            "you raise an AssertionError, which vanishes under `python -O`. Which kind of error is asked for?",
            wrong.Asserts,
        ),
    ),
)


def _grouped(draw, heads, groups, queries=5, keys=7, batch=2, width=4):
    return [
        draw.normal(batch, heads, queries, width),
        draw.normal(batch, groups, keys, width),
        draw.normal(batch, groups, keys, width),
    ]


GROUPED_QUERY_ATTENTION = Exercise(
    name="grouped_query_attention",
    points=2,
    reference=reference.grouped_query_attention,
    cases=(
        Case("six heads, two groups", lambda draw: _grouped(draw, 6, 2), grad=True),
        Case("as many groups as heads", lambda draw: _grouped(draw, 4, 4)),
        Case("one group", lambda draw: _grouped(draw, 4, 1), grad=True),
        Case("mask", lambda draw: [*_grouped(draw, 6, 3), draw.mask(2, 1, 5, 7, keep=0.5)], grad=True),
        Case("mask per head", lambda draw: [*_grouped(draw, 4, 2), draw.mask(2, 4, 5, 7, keep=0.5)]),
        Case("a sample that may attend to nothing", lambda draw: [*_grouped(draw, 4, 2), keys_for_some(draw, 2, 7)]),
    ),
    mistakes=(
        Mistake(
            "repeat",
            "your query heads take turns: 0, 1, 0, 1, … Neighbouring query heads share a key head: 0, 0, 0, 1, 1, 1. "
            "Which torch method repeats each entry in place?",
            wrong.gqa_repeat,
        ),
        Mistake(
            "values_repeat",
            "your keys are shared by neighbours, your values in turns. Both must be spread alike: which call differs?",
            wrong.gqa_values_repeat,
        ),
        Mistake(
            "groups_averaged",
            "you average the key-value heads to one. Each group of query heads keeps its own: which?",
            wrong.gqa_groups_averaged,
        ),
        Mistake(
            "queries_averaged",
            "you average the queries of a group. Query heads stay apart; what do they share?",
            wrong.gqa_queries_averaged,
        ),
        Mistake(
            "first_head_only",
            "all your query heads use key-value head 0. Which one belongs to query head i?",
            wrong.gqa_first_head,
        ),
        Mistake("not_scaled", "your scores are not scaled. What does each head divide q·k by?", wrong.gqa_not_scaled),
        Mistake("mask_ignored", "the mask changes nothing in your output. Where does it go?", wrong.gqa_mask_ignored),
        Mistake(
            "mask_inverted",
            "you hide what the mask allows. In this course, what does True mean?",
            wrong.gqa_mask_inverted,
        ),
        Mistake(
            "mask_of_first_in_group",
            "all query heads of a group get the mask of the first. The mask has one map per query head: which belongs "
            "to head i?",
            wrong.gqa_mask_of_first,
        ),
        Mistake(
            "pair",
            "you return output and weights. Only the output is asked for.",
            wrong.gqa_pair,
        ),
        Mistake(
            "nan_in_empty_rows",
            "a query that may attend to nothing becomes NaN. What should its output be?",
            wrong.gqa_nan,
        ),
        Mistake(
            "masked_with_minus_1e9",
            "a query that may attend to nothing averages all values: −1e9 is not −∞. What should its output be?",
            wrong.gqa_minus_1e9,
        ),
    ),
)


def _entry(key):
    return lambda answer, *sizes: int(answer(*sizes)[key])


def _sizes(draw):
    heads = draw.choice((2, 3, 4, 6))
    return [heads * draw.integer(5, 12), heads, draw.integer(7, 40)]


MHA_COST = Exercise(
    name="mha_cost",
    points=1,
    reference=reference.mha_cost,
    cases=(
        Case("parameters", lambda draw: [512, 8, 128], lambda *_: 1_050_624, call=_entry("parameters")),
        Case("flops", lambda draw: [512, 8, 128], call=_entry("flops")),
        Case("entries", lambda draw: [512, 8, 128], call=_entry("attention_entries")),
        Case("other sizes", _sizes, call=lambda answer, *sizes: {k: int(v) for k, v in answer(*sizes).items()}),
    ),
    mistakes=(
        Mistake(
            "times_heads",
            "your cost is multiplied by the number of heads. How wide is one head, and so how much does one cost?",
            wrong.cost_times_heads,
        ),
        Mistake(
            "products_times_heads",
            "your two attention products are counted H times at full width. How wide is one head?",
            wrong.cost_products_times_heads,
        ),
        Mistake(
            "divided_by_heads",
            "your cost is divided by the number of heads: that is one head alone. How many are there?",
            wrong.cost_divided_by_heads,
        ),
        Mistake(
            "projections_divided",
            "your projections are C × C/H: that is one head's block. How many blocks stand side by side?",
            wrong.cost_projections_divided,
        ),
        Mistake(
            "without_biases",
            "the biases are missing from your parameters. How many numbers are there in four of them?",
            wrong.cost_without_biases,
        ),
        Mistake(
            "three_matrices",
            "you count three projections. Which fourth matrix comes after the heads?",
            wrong.cost_three_matrices,
        ),
        Mistake(
            "multiply_add_once",
            "your FLOPs are half of what is asked for. How many FLOPs is one multiply–add in this course?",
            wrong.cost_multiply_add_once,
        ),
        Mistake(
            "biases_in_flops",
            "your FLOPs are a little too many: the biases are in them. Which products alone are counted?",
            wrong.cost_biases_in_flops,
        ),
        Mistake(
            "one_product",
            "you count one attention product. One makes the scores; which comes after the softmax?",
            wrong.cost_one_product,
        ),
        Mistake(
            "no_projections",
            "your FLOPs leave out the four projections. What does a C × C matrix cost for n tokens?",
            wrong.cost_no_projections,
        ),
        Mistake("one_map", "you count one map of n × n weights. How many does a layer make?", wrong.cost_of_one_map),
        Mistake(
            "size_of_output",
            "you count the entries of the output. How many weights does one head make?",
            wrong.cost_of_outputs,
        ),
    ),
)
