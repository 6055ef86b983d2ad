"""At least one token.

mistake: at_least_one
fails: no new token
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt, None
    for _ in range(max(1, max_new_tokens)):
        logits, cache = step(unread, cache)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
