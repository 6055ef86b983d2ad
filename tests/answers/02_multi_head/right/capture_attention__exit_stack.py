"""Removes the hooks with an ExitStack; keeps what looks like weights, each tensor once."""

def capture_attention(model, inputs):
    import contextlib

    captured = []

    def keep(module, args, output):
        if isinstance(output, tuple) and len(output) > 1 and torch.is_tensor(output[1]) and output[1].dim() == 4:
            if not any(output[1] is seen for seen in captured):
                captured.append(output[1])

    with contextlib.ExitStack() as stack:
        for module in model.modules():
            if "Attention" in type(module).__name__:
                stack.callback(module.register_forward_hook(keep).remove)
        model(**inputs)
    return [weights.detach() for weights in captured]
