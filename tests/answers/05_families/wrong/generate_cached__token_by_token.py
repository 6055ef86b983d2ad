"""The prompt token by token.

mistake: prompt_one_by_one
fails: text and calls
"""


def generate_cached(step, prompt, max_new_tokens):
    tokens, unread, cache = prompt, prompt, None
    for i in range(prompt.shape[1] - 1):
        cache = step(prompt[:, i : i + 1], cache)[1]
    unread = prompt[:, -1:]
    for _ in range(max_new_tokens):
        logits, cache = step(unread, cache)
        unread = logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens
