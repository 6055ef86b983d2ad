"""TransformerBlock."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from ...models.attention import causal_mask
from ...models.block import blocks as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_blocks as wrong
from .weights import block_weights, branches, load, names_fit, parameter_shapes, right_block


def _block(answer, weights, norm, x, mask=None):
    module = answer(x.shape[-1], 2, weights["ffn.0.bias"].shape[0], norm=norm).eval()
    return load(module, weights)(x, mask) if mask is not None else load(module, weights)(x)


def refuses(answer):
    """How the class answers to a norm that does not exist."""
    try:
        answer(8, 2, 16, norm="sandwich")
    except ValueError:
        return "ValueError"
    return "no ValueError"


def _fates(answer, weights, x, p, training):
    """How often each of the outcomes of a block with DropPath appears, for 4,000 copies of one sample.

    With pre-norm: nothing dropped, the first branch, the second branch, both; then anything else, and how many
    different outcomes there are (in tens, at most 1).
    """
    module = answer(x.shape[-1], 2, weights["ffn.0.bias"].shape[0], drop_path=p).train(training)
    with torch.no_grad():
        y = load(module, weights)(x.expand(4000, *x.shape[1:]))
        scale = 1 / (1 - p)
        attn, ffn = branches(weights, x.shape[-1])
        with_attn = x + scale * attn(x)
        wanted = [with_attn + scale * ffn(with_attn), x + scale * ffn(x), with_attn, x]
        hits = [(y - w).abs().amax(dim=(1, 2)) < 1e-9 for w in wanted]
    shares = [h.double().mean().item() for h in hits]
    kinds = len(torch.unique(y.flatten(1).mul(1e6).round(), dim=0))
    return [*shares, 1 - sum(shares), min(kinds, 10) / 10]


def _norms_alone(weights, x):
    """A post-norm block whose branches are all dropped."""
    for i in (1, 2):
        x = F.layer_norm(x, x.shape[-1:], weights[f"norm{i}.weight"], weights[f"norm{i}.bias"])
    return x


TRANSFORMER_BLOCK = Exercise(
    name="TransformerBlock",
    points=3,
    reference=reference.TransformerBlock,
    cases=(
        Case("parameters", lambda draw: [8, 2, 20], holds=names_fit(reference.TransformerBlock), call=parameter_shapes),
        Case(
            "pre-norm", lambda draw: [block_weights(draw, 6, 10), "pre", draw.normal(2, 5, 6)], call=_block, grad=True
        ),
        Case(
            "post-norm", lambda draw: [block_weights(draw, 6, 10), "post", draw.normal(2, 5, 6)], call=_block, grad=True
        ),
        Case(
            "pre-norm is the default",
            lambda draw: [block_weights(draw, 6, 10), draw.normal(2, 5, 6)],
            lambda w, x: right_block(w, "pre", x),
            call=lambda answer, w, x: load(answer(6, 2, 10).eval(), w)(x),
        ),
        Case(
            "mask",
            lambda draw: [block_weights(draw, 6, 10), "pre", draw.normal(2, 5, 6), draw.mask(2, 1, 5, 5, keep=0.4)],
            call=_block,
            grad=True,
        ),
        Case(
            "mask, post-norm",
            lambda draw: [block_weights(draw, 6, 10), "post", draw.normal(2, 5, 6), causal_mask(5)],
            call=_block,
        ),
        Case("an unknown norm", lambda draw: [], lambda: "ValueError", call=refuses),
        # 4,000 samples: a share is within 0.05 but for one run in 10⁹.
        Case(
            "DropPath",
            lambda draw: [block_weights(draw, 4, 6), draw.normal(1, 3, 4), 0.3, True],
            lambda w, x, p, t: [0.49, 0.21, 0.21, 0.09, 0.0, 0.4],
            call=_fates,
            limit=20.0,
            tol=0.045,
        ),
        Case(
            "all is dropped, post-norm",
            lambda draw: [block_weights(draw, 4, 6), draw.normal(2, 3, 4)],
            _norms_alone,
            call=lambda answer, w, x: load(answer(4, 2, 6, norm="post", drop_path=1.0).train(), w)(x),
        ),
        Case(
            "no DropPath in evaluation",
            lambda draw: [block_weights(draw, 4, 6), "pre", draw.normal(2, 3, 4)],
            lambda w, norm, x: right_block(w, norm, x),
            call=lambda answer, w, norm, x: load(answer(4, 2, 6, drop_path=0.9).eval(), w)(x),
        ),
    ),
    mistakes=(
        Mistake(
            "first_sample_only",
            "you take [0] of what the attention returns, and so add the first sample's branch to all. What does "
            "MultiHeadAttention return when no weights are asked for?",
            wrong.block(flow="first_sample"),
        ),
        Mistake(
            "drop_path_ignored_in_post_norm",
            "with post-norm nothing is ever dropped. Where does drop_path act in that order?",
            wrong.block(drop="never_post"),
        ),
        Mistake(
            "drop_path_ignored",
            "in training nothing is ever dropped. Where does drop_path act?",
            wrong.block(drop="never"),
        ),
        Mistake(
            "one_coin_for_both_branches",
            "both branches of a sample share one fate. How many coins does a sample flip in one block?",
            wrong.block(drop="shared"),
        ),
        Mistake(
            "only_one_branch_dropped",
            "only the attention is ever dropped. Which other branch has a coin?",
            wrong.block(drop="first"),
        ),
        Mistake(
            "stream_dropped",
            "you drop the sum of stream and branch, so a sample can lose everything. What exactly is dropped?",
            wrong.block(drop="stream"),
        ),
        Mistake(
            "ordinary_dropout",
            "your coins are flipped per number: this is ordinary dropout. How many coins does a sample get per branch?",
            wrong.block(drop="element"),
        ),
        Mistake(
            "not_rescaled",
            "a branch that is kept keeps its size. By what must it be divided, so that the expectation stays?",
            wrong.block(drop="unscaled"),
        ),
        Mistake(
            "drops_in_evaluation",
            "branches are dropped in evaluation too. Which attribute of a module tells training from evaluation?",
            wrong.block(drop="always"),
        ),
        Mistake(
            "residual_after_norm",
            "your residual starts after the norm: the stream itself is normalised before the branch. What should be "
            "added to the branch: x or norm1(x)?",
            wrong.block(flow="residual_after_norm"),
        ),
        Mistake(
            "one_norm_for_both",
            "norm1 normalises both branches, and norm2 is never used. Which one belongs to the feed-forward network?",
            wrong.block(shared_norm=True),
        ),
        Mistake(
            "norm_ignored",
            'norm="post" gives the pre-norm block. Where does the value of norm change the order?',
            wrong.block(flow="always_pre"),
        ),
        Mistake(
            "orders_swapped",
            'your "pre" is the order of 2017 and your "post" the modern one. Which of them normalises after the '
            "addition?",
            wrong.block(flow="swapped"),
        ),
        Mistake(
            "no_residual",
            "your block forgets its input: nothing is added to x. What stays when a branch gives 0?",
            wrong.block(flow="no_residual"),
        ),
        Mistake(
            "second_residual_missing",
            "the feed-forward branch replaces the stream. To what should its output be added?",
            wrong.block(flow="second_residual_missing"),
        ),
        Mistake(
            "residual_from_the_start",
            "the second branch is added to the block's input, so the attention's share is lost. To what should it be "
            "added?",
            wrong.block(flow="residual_from_the_start"),
        ),
        Mistake(
            "parallel_branches",
            "both branches read the block's input, side by side. What should the feed-forward network read?",
            wrong.block(flow="parallel"),
        ),
        Mistake(
            "feed_forward_first",
            "your feed-forward network comes before the attention. Which of the two is first in the paper?",
            wrong.block(flow="ffn_first"),
        ),
        Mistake(
            "norm_on_the_branch",
            'with norm="post" you normalise the branch and then add. What does the order of 2017 normalise?',
            wrong.block(flow="norm_on_the_branch"),
        ),
        Mistake(
            "second_norm_missing",
            "norm2 changes nothing in your result. Where does the second norm stand?",
            wrong.block(flow="second_norm_missing"),
        ),
        Mistake(
            "relu",
            "your feed-forward network uses ReLU. Which activation does the exercise ask for?",
            wrong.block(act="relu"),
        ),
        Mistake(
            "tanh_gelu",
            "your GELU is the tanh approximation. Which one does nn.GELU() compute without arguments?",
            wrong.block(act="tanh"),
        ),
        Mistake(
            "mask_dropped",
            "the mask changes nothing in your result. To which sub-module must it be passed?",
            wrong.block(mask="dropped"),
        ),
        Mistake(
            "mask_inverted",
            "you hide what the mask allows. What does True mean in this course?",
            wrong.block(mask="inverted"),
        ),
        Mistake(
            "any_norm_accepted",
            "an unknown value of norm is accepted in silence. What should the caller read instead?",
            wrong.block(check=False),
        ),
    ),
)
