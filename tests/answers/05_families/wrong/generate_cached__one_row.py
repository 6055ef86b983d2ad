"""The first row decides.

mistake: one_row_for_all
fails: text and calls
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt, None
    for _ in range(max_new_tokens):
        logits, cache = step(unread, cache)
        unread = logits[:1, -1].argmax(dim=-1, keepdim=True).expand(len(prompt), 1)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
