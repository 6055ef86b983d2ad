"""The mask of top-p of the first row cuts all rows.

mistake: cut_by_the_first_row
fails: each row is cut by its own
"""


def sample_next(logits, temperature=1.0, top_k=None, top_p=None, generator=None):
    if temperature == 0:
        return logits.argmax(-1)
    x, order = (logits / temperature).sort(-1, descending=True)
    if top_k is not None:
        x[:, top_k:] = -math.inf
    pr = x.softmax(-1)
    if top_p is not None:
        before = pr.cumsum(-1) - pr
        pr = pr.masked_fill((before >= top_p)[:1], 0)
    pick = torch.multinomial(pr, 1, generator=generator)
    return order.gather(-1, pick)[:, 0]
