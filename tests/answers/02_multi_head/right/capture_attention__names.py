"""Finds the modules by their names and removes hooks in an except and an else branch."""

def capture_attention(model, inputs):
    wanted = [m for name, m in model.named_modules() if name.endswith(("attention.self", "self_attn", ".attn"))]
    found = []
    handles = [m.register_forward_hook(lambda m, a, o: found.append(o[1].detach())) for m in wanted]
    try:
        model(**inputs)
    except BaseException:
        for h in handles:
            h.remove()
        raise
    for h in handles:
        h.remove()
    return found
