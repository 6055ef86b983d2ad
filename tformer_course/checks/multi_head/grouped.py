"""grouped_query_attention and mha_cost."""

from __future__ import annotations

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_grouped as wrong
from .layer import keys_for_some


def _grouped(draw, heads, groups):
    return [draw.normal(2, heads, 5, 4), draw.normal(2, groups, 7, 4), draw.normal(2, groups, 7, 4)]


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
        Case(
            "scores of ±10⁵, half of them hidden",
            lambda draw: [*(300.0 * x for x in _grouped(draw, 4, 2)), draw.mask(2, 1, 5, 7, keep=0.5)],
        ),
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
        Mistake(
            "overflow",
            "large scores give NaN: exp overflows. Which function of torch subtracts the maximum first?",
            wrong.gqa_overflow,
        ),
        Mistake(
            "masked_with_low_score",
            "scores far below zero lie under the number that you put at hidden ones, so hidden keys win. Which number "
            "is below all scores?",
            wrong.gqa_low_score,
        ),
        Mistake(
            "renormalised",
            "you mask after the softmax and divide again: where hidden keys had all the weight, nothing is left to "
            "divide. Where must the mask act?",
            wrong.gqa_renormalised,
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
            "products_divided",
            "your two attention products are those of one head. How many heads are there?",
            wrong.cost_products_divided,
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
