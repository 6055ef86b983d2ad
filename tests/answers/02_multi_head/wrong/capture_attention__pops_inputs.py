"""An entry of the inputs is taken out.

mistake: unnamed
fails: no traces in BERT
"""

def capture_attention(model, inputs):
    def is_attention(module):
        return "Attention" in type(module).__name__

    found = [m for m in model.modules() if is_attention(m) and not any(is_attention(c) for c in m.modules() if c is not m)]
    captured = []
    inputs.pop("token_type_ids", None)
    handles = [m.register_forward_hook(lambda m, a, out: captured.append(out[1].detach())) for m in found]
    try:
        with torch.no_grad():
            model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
        pass
    return captured
