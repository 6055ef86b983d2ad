"""The hooks are never removed.

mistake: hooks_left_behind
fails: no traces in BERT
"""

def capture_attention(model, inputs):
    found = [m for m in model.modules() if type(m).__name__.endswith("Attention")]
    modules = [m for m in found if not any(c in found for c in m.modules() if c is not m)]
    captured = []
    handles = [m.register_forward_hook(lambda m, a, out: captured.append(out[1].detach())) for m in modules]
    with torch.no_grad():
        model(**inputs)
    return captured
