"""Assigns where it should add.

mistake: overwritten
fails: two of five experts
"""


def moe_forward(x, router, experts, k):
    logits = router(x)
    chosen, indices = logits.topk(k, dim=-1)
    weights = chosen.softmax(dim=-1)
    out = torch.zeros_like(x)
    for e in range(len(experts)):
        mine = indices == e
        rows = mine.any(dim=1)
        if rows.any():
            weight = (weights * mine).sum(dim=1)[rows]
            out = out.index_put((rows.nonzero()[:, 0],), weight[:, None] * experts[e](x[rows]))
    return out
