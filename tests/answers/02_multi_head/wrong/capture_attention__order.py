"""Sorts the layers by name: 10 before 2.

mistake: order
fails: eleven layers, in order
"""

def capture_attention(model, inputs):
    def is_attention(module):
        return "Attention" in type(module).__name__

    found = {name: m for name, m in model.named_modules() if is_attention(m) and not any(is_attention(c) for c in m.modules() if c is not m)}
    captured = {}
    handles = [m.register_forward_hook(lambda m, a, out, name=name: captured.update({name: out[1].detach()})) for name, m in found.items()]
    try:
        model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
    return [captured[name] for name in sorted(captured)]
