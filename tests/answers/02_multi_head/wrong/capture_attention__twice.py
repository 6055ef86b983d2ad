"""BERT passes its weights through two modules, and both are hooked.

mistake: twice
fails: BERT
"""

def capture_attention(model, inputs):
    found = [m for m in model.modules() if type(m).__name__.endswith("Attention")]
    modules = found
    captured = []
    handles = [m.register_forward_hook(lambda m, a, out: captured.append(out[1].detach())) for m in modules]
    try:
        with torch.no_grad():
            model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
    return captured
