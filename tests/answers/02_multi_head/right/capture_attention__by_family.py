"""Names the layers of each family."""

def capture_attention(model, inputs):
    base = getattr(model, model.base_model_prefix, model)
    if hasattr(base, "encoder"):
        modules = [layer.attention.self for layer in base.encoder.layer]
    elif hasattr(base, "h"):
        modules = [block.attn for block in base.h]
    else:
        modules = [layer.self_attn for layer in base.layers]
    kept = {}
    handles = []
    for i, module in enumerate(modules):
        handles.append(module.register_forward_hook(lambda m, a, out, i=i: kept.__setitem__(i, out[1].detach().clone())))
    try:
        with torch.no_grad():
            model(**inputs)
    finally:
        [handle.remove() for handle in handles]
    return [kept[i] for i in range(len(modules))]
