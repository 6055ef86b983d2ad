"""One token too few.

mistake: one_too_few
fails: text and calls
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt, None
    for _ in range(max_new_tokens - 1):
        logits, cache = step(unread, cache)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
