"""Everything again, without a cache.

mistake: no_cache_whole_sequence
fails: text and calls
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt, None
    for _ in range(max_new_tokens):
        logits, cache = step(tokens, None)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
