"""Right: collects tokens in a list; prefill apart."""


def generate_cached(step, prompt, max_new_tokens):
    if max_new_tokens == 0:
        return prompt.clone()
    logits, cache = step(prompt, None)
    new = [logits[:, -1, :].argmax(-1)]
    while len(new) < max_new_tokens:
        logits, cache = step(new[-1][:, None], cache)
        new.append(logits[:, -1, :].argmax(-1))
    return torch.cat([prompt, torch.stack(new, dim=1)], dim=1)
