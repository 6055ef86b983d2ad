"""The mode is set back only where the forward pass succeeds.

mistake: unnamed
fails: the exception of
"""

def capture_attention(model, inputs):
    def is_attention(module):
        return "Attention" in type(module).__name__

    found = [m for m in model.modules() if is_attention(m) and not any(is_attention(c) for c in m.modules() if c is not m)]
    captured = []
    mode = model.training
    model.eval()
    handles = [m.register_forward_hook(lambda m, a, out: captured.append(out[1].detach())) for m in found]
    try:
        with torch.no_grad():
            model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
        pass
    model.train(mode)
    return captured
