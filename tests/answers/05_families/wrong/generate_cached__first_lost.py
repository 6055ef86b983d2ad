"""The prompt without its first token.

mistake: first_token_lost
fails: text and calls
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt[:, 1:], None
    for _ in range(max_new_tokens):
        logits, cache = step(unread, cache)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
