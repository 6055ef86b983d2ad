"""capture_attention, average_heads, attention_entropy, effective_rank, saturation and head_importance."""

from __future__ import annotations

import math

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import mistakes as wrong


def tiny_model(family: str, seed: int, layers: int = 2):
    """A small random transformers model without dropout, the same for the same seed.

    Args:
        family: "bert", "llama" or "gpt2".
        seed: Of its weights.
        layers: How many.
    """
    import transformers

    torch.manual_seed(seed)
    small = {"vocab_size": 40, "attn_implementation": "eager"}
    if family == "bert":
        small |= {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        config = transformers.BertConfig(
            hidden_size=12, num_hidden_layers=layers, num_attention_heads=3, intermediate_size=8, **small
        )
        return transformers.BertModel(config).eval()
    if family == "gpt2":
        small |= {"attn_pdrop": 0.0, "embd_pdrop": 0.0, "resid_pdrop": 0.0}
        config = transformers.GPT2Config(
            n_embd=12, n_layer=layers, n_head=3, n_positions=16, bos_token_id=0, eos_token_id=0, **small
        )
        return transformers.GPT2Model(config).eval()
    config = transformers.LlamaConfig(
        hidden_size=16,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=8,
        **small,
    )
    return transformers.LlamaModel(config).eval()


def batch_of_two(draw) -> torch.Tensor:
    """Token ids `(2, 6)`; the first import of transformers happens here, where nothing is timed."""
    tiny_model("bert", 0)
    return draw.integers(1, 39, 2, 6)


def as_inputs(ids: torch.Tensor) -> dict[str, torch.Tensor]:
    """The tokenizer's dict; the second sample ends in two tokens of padding."""
    attention_mask = torch.ones_like(ids)
    attention_mask[1, -2:] = 0
    return {"input_ids": ids, "attention_mask": attention_mask}


def count_hooks(model) -> int:
    return sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules())


def captured(answer, family, seed, ids, layers=2):
    """What an answer collects. The flag `output_attentions` is swallowed: the weights must come by hooks."""
    model = tiny_model(family, seed, layers)
    forward = model.forward
    model.forward = lambda *args, output_attentions=None, **inputs: forward(*args, **inputs)
    with torch.set_grad_enabled(torch.is_grad_enabled()):  # set back, whatever the answer does
        return list(answer(model, as_inputs(ids)))


def changed_by(answer, model, inputs) -> tuple[list[torch.Tensor], list[str]]:
    """The weights that an answer returns, and what is not as before its call: inputs, config, parameters, gradients."""
    names, config = list(inputs), model.config.to_dict()
    with torch.enable_grad():  # set back, whatever the answer does
        weights = list(answer(model, inputs))
        gradients_on = torch.is_grad_enabled()
    changed = {
        "inputs": list(inputs) != names,
        "config": model.config.to_dict() != config,
        "parameters": not all(p.requires_grad for p in model.parameters()),
        "gradient switch": not gradients_on,
    }
    return weights, [name for name, is_changed in changed.items() if is_changed]


def traces(answer, family, seed, ids):
    """What an answer leaves behind besides the weights: hooks, the mode, a graph, a change of anything it was given."""
    model = tiny_model(family, seed).train()
    model(input_ids=ids, output_attentions=True)  # transformers installs hooks of its own at the first such call
    before = count_hooks(model)
    inputs = as_inputs(ids)
    if family == "bert":
        inputs["token_type_ids"] = torch.zeros_like(ids)  # BERT's tokenizer gives them too
    weights, changed = changed_by(answer, model, inputs)
    left = count_hooks(model) - before
    return {
        "weights": weights,
        "hooks left": left,
        "still training": model.training,
        "graph kept": any(w.requires_grad for w in weights),
        "changed": changed,
    }


def traces_of_failure(answer, family, seed, ids):
    """The same where a second forward pass, in training mode, raises: a token that the vocabulary does not have."""
    model = tiny_model(family, seed)
    model(input_ids=ids, output_attentions=True)
    before, raised = count_hooks(model), "nothing"
    with torch.set_grad_enabled(torch.is_grad_enabled()):
        weights = list(answer(model, as_inputs(ids)))
        still_evaluating = not model.training
        model.train()
        try:
            answer(model, as_inputs(torch.full_like(ids, 99)))
        except NotImplementedError:
            raise
        except Exception as error:
            raised = type(error).__name__
    left = count_hooks(model) - before
    mode_kept = {"evaluating": still_evaluating, "training": model.training}
    return {"weights": weights, "hooks left": left, "raised": raised, "mode kept": mode_kept}


def _model_inputs(family):
    def inputs(draw):
        ids = batch_of_two(draw)
        return [family, draw.integer(0, 2**31), ids]

    return inputs


CAPTURE_ATTENTION = Exercise(
    name="capture_attention",
    points=3,
    reference=reference.capture_attention,
    cases=(
        Case("BERT", _model_inputs("bert"), call=captured, limit=10.0),
        Case("LLaMA", _model_inputs("llama"), call=captured, limit=10.0),
        Case("GPT-2", _model_inputs("gpt2"), call=captured, limit=10.0),
        Case("no traces", _model_inputs("bert"), call=traces, limit=10.0),
        Case("no traces after an error", _model_inputs("llama"), call=traces_of_failure, limit=10.0),
        Case("eleven layers", lambda draw: [*_model_inputs("gpt2")(draw), 11], call=captured, limit=10.0),
    ),
    mistakes=(
        Mistake(
            "order",
            "your layers come in another order than the model's: sorted by name, layer 10 stands before layer 2. In "
            "which order does `model.modules()` give them?",
            wrong.capture_sorts_names,
        ),
        Mistake(
            "hooks_left_after_error",
            "when the forward pass raises, your hooks stay on the model. Which Python statement runs in any case?",
            wrong.capture_leaves_hooks_on_error,
        ),
        Mistake(
            "hooks_left_behind",
            "your hooks are still on the model after the call; the next call would run them again. Which method of the "
            "handle takes one off?",
            wrong.capture_leaves_hooks,
        ),
        Mistake(
            "context_output",
            "you keep the first thing the module returns: the context, (B, T, C). Which of the two are the weights?",
            wrong.capture_context,
        ),
        Mistake(
            "graph_kept",
            "your weights still hang on the autograd graph, which keeps all activations in memory. Which method cuts "
            "them off?",
            wrong.capture_keeps_graph,
        ),
        Mistake(
            "twice",
            "you get BERT's weights twice: its attention module passes on what the `self` inside it returns. Hook only "
            "one of the two.",
            wrong.capture_twice,
        ),
        Mistake(
            "exception_swallowed",
            "the forward pass failed, and your function hides it. Who should see the exception?",
            wrong.capture_swallows,
        ),
        Mistake(
            "mode_changed",
            "the model was training before your call and is not after it. What may a function that only looks change?",
            wrong.capture_changes_mode,
        ),
        Mistake(
            "mode_forced",
            "the model was evaluating before your call and is training after it. What may a function that only looks "
            "change?",
            wrong.capture_forces_mode,
        ),
        Mistake(
            "inputs_changed",
            "you write into the dict that the caller gave you. What may a function that only looks change?",
            wrong.capture_changes_inputs,
        ),
        Mistake(
            "config_changed",
            "the model's config is not as before your call. Do hooks need `output_attentions` at all?",
            wrong.capture_changes_config,
        ),
        Mistake(
            "gradients_left_off",
            "after your call torch records no gradients any more, in the whole program. Which `with` block ends by "
            "itself?",
            wrong.capture_leaves_gradients_off,
        ),
        Mistake(
            "parameters_frozen",
            "after your call the model's parameters take no gradients any more. What may a function that only looks "
            "change?",
            wrong.capture_freezes,
        ),
        Mistake(
            "first_sample_only",
            "you drop the batch axis and keep the first sample. Which shape is asked for?",
            wrong.capture_drops_batch,
        ),
        Mistake(
            "averaged_over_heads",
            "you average over the heads. Which shape is asked for?",
            wrong.capture_averages,
        ),
        Mistake(
            "by_flag",
            "no hook of yours brought the weights: `output_attentions` is switched off here. Which method of a module "
            "calls you after each forward?",
            wrong.capture_by_flag,
        ),
    ),
)

AVERAGE_HEADS = Exercise(
    name="average_heads",
    points=1,
    reference=reference.average_heads,
    cases=(
        Case("a batch", lambda draw: [draw.normal(2, 3, 4, 6, scale=2.0).softmax(-1)], grad=True),
        Case("one sample", lambda draw: [draw.normal(3, 5, 5, scale=2.0).softmax(-1)]),
        Case("all layers", lambda draw: [draw.normal(2, 1, 3, 4, 4, scale=2.0).softmax(-1)]),
    ),
    mistakes=(
        Mistake(
            "softmax_again",
            "you apply softmax to weights that already sum to one: it flattens the map. What do the rows of a mean of "
            "such maps sum to?",
            wrong.average_softmax_again,
        ),
        Mistake(
            "softmax_first",
            "you apply softmax to each head's weights before the mean. They already sum to one: what does a second "
            "softmax do?",
            wrong.average_softmax_first,
        ),
        Mistake(
            "over_queries",
            "you average over the queries. Which axis counts the heads, seen from the end?",
            wrong.average_over_queries,
        ),
        Mistake(
            "over_keys",
            "you average over the keys, which gives 1/S everywhere. Which axis counts the heads, seen from the end?",
            wrong.average_over_keys,
        ),
        Mistake(
            "over_first_axis",
            "you average over the first axis, which is not always the heads. Count the axes from the end.",
            wrong.average_over_first_axis,
        ),
        Mistake(
            "max",
            "you take the largest head per entry, and the rows sum to more than one. What is asked for?",
            wrong.average_max,
        ),
        Mistake("sum", "you add the heads, and the rows sum to H. What is asked for?", wrong.average_sum),
        Mistake(
            "renormalised",
            "you divide the mean by its sum once more. What do the rows of a mean of such maps sum to?",
            wrong.average_renormalised,
        ),
        Mistake(
            "squeezed",
            "you drop every axis of size 1. Only the head axis may go.",
            wrong.average_squeezes,
        ),
        Mistake(
            "axis_kept",
            "the head axis is still there, with size 1. Which shape is asked for?",
            wrong.average_keeps_axis,
        ),
    ),
)


def rows_with_zeros(draw, dtype=torch.float64):
    """Weights `(2, 3, 4, 6)` under a mask `(2, 1, 4, 6)` that hides some keys of most rows, and the mask."""
    mask = draw.mask(2, 1, 4, 6, keep=0.5)
    mask[0, 0, 0] = True
    mask[0, 0, 1, 1:] = False  # one key
    mask[0, 0, 1, 0] = True
    mask[1, 0, 2] = False  # no key
    scores = draw.normal(2, 3, 4, 6, scale=2.0).masked_fill(~mask, -math.inf)
    return scores.softmax(-1).nan_to_num(0.0).to(dtype), mask


def gradient_of_entropy(answer, weights):
    w = weights.detach().clone().requires_grad_()
    return torch.autograd.grad(answer(w).sum(), w)[0]


def right_where_positive(gradient, weights):
    if not gradient.isfinite().all():
        return "the gradient is not finite where a weight is 0; the log of 0 must never be formed"
    want = -(weights.log() + 1) / math.log(weights.shape[-1])
    return bool(torch.allclose(gradient[weights > 0], want[weights > 0])) or "the gradient at positive weights is off"


ATTENTION_ENTROPY = Exercise(
    name="attention_entropy",
    points=2,
    reference=reference.attention_entropy,
    # 1e-12: a small number added inside the log must show.
    cases=(
        Case("positive weights", lambda draw: [draw.normal(2, 3, 4, 6).softmax(-1)], grad=True, tol=1e-12),
        Case("zero weights", lambda draw: [rows_with_zeros(draw)[0]], tol=1e-12),
        Case("mask", lambda draw: list(rows_with_zeros(draw)), tol=1e-12),
        Case(
            "mask that broadcasts over the keys",
            lambda draw: [draw.normal(2, 4, 6).softmax(-1), torch.ones(4, 1, dtype=torch.bool)],
            tol=1e-12,
        ),
        Case("one key", lambda draw: [torch.ones(2, 3, 1, dtype=torch.float64)]),
        Case(
            "a small weight",
            lambda draw: [torch.tensor([[0.7, 0.3 - 1e-8, 1e-8, 0.0]], dtype=torch.float64)],
            tol=1e-12,
        ),
        Case(
            "gradient at zero weights",
            lambda draw: [torch.tensor([[0.5, 0.3, 0.2, 0.0], [1.0, 0.0, 0.0, 0.0]], dtype=torch.float64)],
            holds=right_where_positive,
            call=gradient_of_entropy,
        ),
    ),
    mistakes=(
        Mistake(
            "log_of_zero",
            "0·log 0 gives NaN. Its limit is 0: which values may reach the log at all?",
            wrong.entropy_log_zero,
        ),
        Mistake(
            "log_of_padded_length",
            "you divide by the log of the full length. How many keys may this row attend to?",
            wrong.entropy_of_padded_length,
        ),
        Mistake(
            "mask_counted_before_broadcasting",
            "you count the mask before it is broadcast: an axis of size 1 stands for all keys. Expand it first.",
            wrong.entropy_of_mask_before_broadcasting,
        ),
        Mistake(
            "keys_with_weight_counted",
            "you count the keys that have a weight above 0. A key that may be attended to counts even at weight 0: "
            "what says which may?",
            wrong.entropy_of_seen_keys,
        ),
        Mistake(
            "in_nats",
            "your entropy is in nats: it grows with the length. What is it divided by, so that even attention gives 1?",
            wrong.entropy_in_nats,
        ),
        Mistake(
            "in_bits",
            "your entropy is in bits: it grows with the length. What is it divided by, so that even attention gives 1?",
            wrong.entropy_in_bits,
        ),
        Mistake(
            "bits_over_nats",
            "you divide a sum of log2 by a natural log. Which two logs belong together?",
            wrong.entropy_bits_over_nats,
        ),
        Mistake(
            "by_queries",
            "you divide by the log of the number of queries. Over what does a row spread its weight?",
            wrong.entropy_by_queries,
        ),
        Mistake(
            "epsilon",
            "a small number inside the log changes every value. Which weights need care, and what should the log see "
            "there instead?",
            wrong.entropy_epsilon,
        ),
        Mistake(
            "clamped",
            "you clamp the weights, which changes the small ones. Only a weight of exactly 0 needs care.",
            wrong.entropy_clamped,
        ),
        Mistake(
            "nan_for_one_key",
            "a row with one key gives 0/0, for log 1 = 0. What is asked for in such a row?",
            wrong.entropy_nan_for_one_key,
        ),
        Mistake("mean_over_rows", "you return one number. One per row is asked for.", wrong.entropy_mean),
        Mistake(
            "over_queries",
            "you sum over the queries. Which axis of a row of weights runs over the keys?",
            wrong.entropy_over_queries,
        ),
        Mistake(
            "sign", "your entropies are negative. What is the sign of log w for a weight?", wrong.entropy_not_negated
        ),
    ),
)

EFFECTIVE_RANK = Exercise(
    name="effective_rank",
    points=1,
    reference=reference.effective_rank,
    cases=(
        Case(
            "diagonal",
            lambda draw: [torch.diag(torch.tensor([2.0, 2.0, 2.0, 0.0]))],
            expected=lambda m: 3.0,
            call=lambda answer, m: float(answer(m)),
        ),
        Case("one direction", lambda draw: [torch.outer(draw.normal(5), draw.normal(7))], lambda m: 1.0),
        Case("any matrix", lambda draw: [draw.normal(5, 8)], call=lambda answer, m: float(answer(m))),
        Case("a larger one", lambda draw: [100 * draw.normal(9, 4)], call=lambda answer, m: float(answer(m))),
        Case("a tiny one", lambda draw: [1e-6 * draw.normal(6, 4)], call=lambda answer, m: float(answer(m)), tol=1e-5),
        Case(
            "a small singular value",
            lambda draw: [torch.diag(torch.tensor([1.0, 0.5, 0.005], dtype=torch.float64))],
            call=lambda answer, m: float(answer(m)),
        ),
    ),
    mistakes=(
        Mistake(
            "counted",
            "you count the singular values that are not zero. How much does each one weigh here?",
            wrong.rank_counted,
        ),
        Mistake(
            "squared",
            "you square the singular values. Divide them by their sum as they are.",
            wrong.rank_of_squares,
        ),
        Mistake(
            "log_of_zero",
            "a singular value of 0 gives 0·log 0 = NaN. What is the limit of p·log p at 0?",
            wrong.rank_log_zero,
        ),
        Mistake(
            "without_exp", "that is the entropy. What turns it into a number of directions?", wrong.rank_without_exp
        ),
        Mistake(
            "not_normalised",
            "your result changes when the matrix is scaled. What must the singular values sum to before the entropy?",
            wrong.rank_not_normalised,
        ),
        Mistake(
            "fixed_threshold",
            "you leave out singular values below a fixed number, which depends on the matrix's scale. Only exact zeros "
            "need care.",
            wrong.rank_with_threshold,
        ),
        Mistake("bits", "you mix a log to base 2 with exp. Which two belong together?", wrong.rank_in_bits),
        Mistake(
            "sum_over_largest",
            "you divide the sum of the singular values by the largest. The entropy is asked for.",
            wrong.rank_by_largest,
        ),
    ),
)

SATURATION = Exercise(
    name="saturation",
    points=1,
    reference=reference.saturation,
    cases=(
        Case(
            "by hand",
            lambda draw: [torch.tensor([[0.97, 0.02, 0.01], [0.96, 0.02, 0.02], [0.5, 0.5, 0.0], [0.1, 0.6, 0.3]])],
            expected=lambda w: 0.5,
            call=lambda answer, w: float(answer(w)),
        ),
        Case(
            "another threshold",
            lambda draw: [draw.normal(2, 3, 8, 6, scale=6.0).softmax(-1), 0.6],
            call=lambda answer, w, t: float(answer(w, t)),
        ),
        Case(
            "exactly at the threshold",
            lambda draw: [torch.tensor([[0.5, 0.5], [0.25, 0.75]]), 0.5],
            expected=lambda w, t: 0.5,
            call=lambda answer, w, t: float(answer(w, t)),
        ),
        Case(
            "empty rows",
            lambda draw: [torch.tensor([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.0]])],
            expected=lambda w: 0.25,
            call=lambda answer, w: float(answer(w)),
        ),
    ),
    mistakes=(
        Mistake(
            "of_entries",
            "you count entries. A row is saturated or not, by its largest weight: how many rows are there?",
            wrong.saturation_of_entries,
        ),
        Mistake(
            "of_columns",
            "you look for the largest weight among the queries. A row is one query: which axis runs over its keys?",
            wrong.saturation_of_columns,
        ),
        Mistake(
            "at_least",
            "a weight that equals the threshold does not exceed it. Which comparison is asked for?",
            wrong.saturation_at_least,
        ),
        Mistake(
            "threshold_fixed", "your threshold is always 0.95. Where does the argument go?", wrong.saturation_fixed
        ),
        Mistake(
            "heads_averaged",
            "you average the heads first. A row of one head is saturated or not: how many rows are there in all?",
            wrong.saturation_of_mean_map,
        ),
        Mistake(
            "first_key",
            "you look at key 0 only. A row is saturated whichever key takes its weight.",
            wrong.saturation_of_first_key,
        ),
        Mistake("below", "you count the rows below the threshold. Which are saturated?", wrong.saturation_below),
        Mistake(
            "empty_rows_skipped",
            "you leave out rows that attend to nothing. The share is of all rows.",
            wrong.saturation_skips_empty,
        ),
        Mistake("counted", "you return a number of rows. Which share of all rows is that?", wrong.saturation_counts),
        Mistake(
            "mean_of_largest",
            "you return the mean of the largest weights. How many of them exceed the threshold?",
            wrong.saturation_mean_of_largest,
        ),
    ),
)


def quadratic_loss(gain: torch.Tensor, pair: float = 0.0):
    """A loss that depends on each head, and on heads 0 and 1 together."""

    def loss_fn(head_mask):
        return 5.0 - (gain * head_mask).sum() + pair * head_mask[0] * head_mask[1] + 0.1 * head_mask.sum() ** 2

    return loss_fn


def _importance(answer, gain, pair):
    return answer(quadratic_loss(gain, pair), len(gain))


def _with_a_loss_that_writes(answer, gain):
    right = quadratic_loss(gain, 0.7)

    def loss_fn(head_mask):
        loss = right(head_mask)
        head_mask.fill_(0.5)  # loss_fn may do with its vector what it likes
        return loss

    return answer(loss_fn, len(gain))


def _detached(answer, gain):
    found = answer(quadratic_loss(gain.clone().requires_grad_(), 0.7), len(gain))
    return {"values": found, "graph kept": found.requires_grad}


def _vectors(answer, gain):
    """The values, and whether each vector that loss_fn got was one of floats."""
    right, kinds = quadratic_loss(gain, 0.7), []

    def loss_fn(head_mask):
        kinds.append(head_mask.is_floating_point())
        return right(head_mask.float())

    return {"values": answer(loss_fn, len(gain)), "float vectors": all(kinds)}


def gains(draw, heads: int) -> torch.Tensor:
    """What each head takes off the loss: some much, some less than nothing."""
    found = draw.uniform(heads, low=-3.0, high=3.0, dtype=torch.float32)
    found[2], found[3] = 5.0, -5.0
    return found


HEAD_IMPORTANCE = Exercise(
    name="head_importance",
    points=2,
    reference=reference.head_importance,
    cases=(
        Case("float vectors", lambda draw: [gains(draw, 4)], call=_vectors),
        Case("four heads", lambda draw: [gains(draw, 4), draw.choice((0.7, -1.3))], call=_importance),
        Case("seven heads", lambda draw: [gains(draw, 7), 2.0], call=_importance),
        Case("detached", lambda draw: [gains(draw, 4)], call=_detached),
        Case("a loss that writes into the vector", lambda draw: [gains(draw, 5)], call=_with_a_loss_that_writes),
    ),
    mistakes=(
        Mistake(
            "only_that_head_on",
            "you switch every other head off. Which one should be off?",
            wrong.importance_only_on,
        ),
        Mistake(
            "only_that_head_on_gain",
            "you measure what one head alone achieves. What is asked for is what is lost without it.",
            wrong.importance_only_on_gain,
        ),
        Mistake(
            "sign",
            "your signs are turned round. A head that is needed must have a positive value: what rises without it?",
            wrong.importance_sign,
        ),
        Mistake(
            "loss_itself",
            "you return the losses. By how much do they rise against the loss with all heads on?",
            wrong.importance_loss_itself,
        ),
        Mistake(
            "absolute",
            "your values are all positive. A model can be better without a head: what should that look like?",
            wrong.importance_absolute,
        ),
        Mistake(
            "relative",
            "you divide by the loss with all heads on. The plain rise is asked for.",
            wrong.importance_relative,
        ),
        Mistake(
            "heads_stay_off",
            "heads that were switched off stay off. Which heads are on when head 3 is measured?",
            wrong.importance_heads_stay_off,
        ),
        Mistake(
            "same_vector_again",
            "you hand the same vector out again, and loss_fn may have changed it. Make a fresh one per call.",
            wrong.importance_same_mask,
        ),
        Mistake(
            "graph_kept",
            "your result still hangs on the graph of the loss. Which method cuts it off?",
            wrong.importance_keeps_graph,
        ),
        Mistake(
            "bool_vector",
            "you hand loss_fn a vector that is not of floats. Which dtype is asked for?",
            wrong.importance_bool,
        ),
        Mistake(
            "gradient",
            "you take the slope of the loss where all heads are on. What is asked for is the loss with the head off.",
            wrong.importance_gradient,
        ),
        Mistake(
            "negative_cut",
            "you cut negative values off. A model can be better without a head: what should that look like?",
            wrong.importance_clamped,
        ),
        Mistake(
            "against_none",
            "you compare with the loss where all heads are off. Which loss is the one to start from?",
            wrong.importance_from_none,
        ),
    ),
)
