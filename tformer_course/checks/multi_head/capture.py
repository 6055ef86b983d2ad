"""capture_attention: hooks on a transformers model."""

from __future__ import annotations

import functools

import torch

from ...models import multi_head as reference
from ..core.exercise import Case, Exercise, Mistake
from . import wrong_capture as wrong


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


@functools.cache
def _load_transformers() -> None:
    tiny_model("bert", 0)


def batch_of_two(draw) -> torch.Tensor:
    """Token ids `(2, 6)`; the first import of transformers happens here, where nothing is timed."""
    _load_transformers()
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
