"""Known wrong answers to capture_attention."""

from __future__ import annotations

import torch

# --- capture_attention


def _attention_modules(model, inner=True):
    found = [m for m in model.modules() if type(m).__name__.endswith("Attention")]
    return [m for m in found if not inner or not any(c in found for c in m.modules() if c is not m)]


def _capture(model, inputs, keep, inner=True, remove="always", no_grad=True, swallow=False, evaluate=False):
    captured = []
    handles = [
        m.register_forward_hook(lambda module, args, output: captured.append(keep(output)))
        for m in _attention_modules(model, inner)
    ]
    if evaluate:
        model.eval()
    try:
        with torch.set_grad_enabled(not no_grad):
            model(**inputs)
    except Exception:
        if not swallow:
            if remove == "always":
                for handle in handles:
                    handle.remove()
            raise
    if remove != "never":
        for handle in handles:
            handle.remove()
    return captured


def capture_leaves_hooks(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), remove="never")


def capture_leaves_hooks_on_error(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), remove="on success")


def capture_context(model, inputs):
    return _capture(model, inputs, lambda out: out[0].detach())


def capture_keeps_graph(model, inputs):
    return _capture(model, inputs, lambda out: out[1], no_grad=False)


def capture_twice(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), inner=False)


def capture_swallows(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), swallow=True)


def capture_changes_mode(model, inputs):
    return _capture(model, inputs, lambda out: out[1].detach(), evaluate=True)


def capture_forces_mode(model, inputs):
    try:
        return capture_changes_mode(model, inputs)
    finally:
        model.train()


def capture_sorts_names(model, inputs):
    maps = _capture(model, inputs, lambda out: out[1].detach())
    return [maps[i] for i in sorted(range(len(maps)), key=str)]


def capture_changes_inputs(model, inputs):
    inputs["output_attentions"] = True
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_changes_config(model, inputs):
    model.config.output_attentions = True
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_leaves_gradients_off(model, inputs):
    torch.set_grad_enabled(False)
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_freezes(model, inputs):
    model.requires_grad_(False)
    return _capture(model, inputs, lambda out: out[1].detach())


def capture_drops_batch(model, inputs):
    return _capture(model, inputs, lambda out: out[1][0].detach())


def capture_averages(model, inputs):
    return _capture(model, inputs, lambda out: out[1].mean(1).detach())


def capture_by_flag(model, inputs):
    attentions = model(**inputs, output_attentions=True).attentions
    return [weights.detach() for weights in attentions or ()]
