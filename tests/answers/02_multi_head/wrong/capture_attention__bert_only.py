"""Knows BERT only.

mistake: unnamed
fails: LLaMA
"""

def capture_attention(model, inputs):
    captured = []
    handles = [
        layer.attention.self.register_forward_hook(lambda m, a, out: captured.append(out[1].detach()))
        for layer in model.encoder.layer
    ]
    try:
        model(**inputs)
    finally:
        for handle in handles:
            handle.remove()
    return captured
