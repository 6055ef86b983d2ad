"""Two tokens per call.

mistake: two_tokens_per_call
fails: text and calls
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt, None
    for _ in range(max_new_tokens):
        logits, cache = step(unread, cache)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, unread], dim=1)
        unread = tokens[:, -2:]
    return tokens
