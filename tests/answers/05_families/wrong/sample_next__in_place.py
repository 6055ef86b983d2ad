"""Cuts in the logits of the caller.

mistake: unnamed
fails: top-k
"""


def sample_next(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    if temperature != 1:
        logits = logits / temperature
    if top_k is not None:
        kth = logits.topk(min(top_k, logits.shape[-1])).values[:, -1:]
        logits[logits < kth] = -math.inf
    if top_p is not None:
        values, order = logits.softmax(-1).sort(-1, descending=True)
        drop = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, values.cumsum(-1) - values >= top_p)
        logits[drop] = -math.inf
    return torch.multinomial(logits.softmax(-1), 1, generator=generator).squeeze(-1)
