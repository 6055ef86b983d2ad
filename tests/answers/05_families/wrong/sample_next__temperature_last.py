"""The temperature comes after the cuts.

mistake: temperature_last
fails: temperature before top-p
"""


def sample_next(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(dim=-1)
    ranked, order = logits.sort(dim=-1, descending=True)
    if top_k is not None:
        ranked[..., top_k:] = -math.inf
    if top_p is not None:
        probabilities = ranked.softmax(dim=-1)
        before = probabilities.cumsum(dim=-1) - probabilities
        drop = before >= top_p
        drop[..., 0] = False
        ranked = ranked.masked_fill(drop, -math.inf)
    rank = torch.multinomial((ranked / temperature).softmax(dim=-1), 1, generator=generator)
    return order.gather(-1, rank).squeeze(-1)
