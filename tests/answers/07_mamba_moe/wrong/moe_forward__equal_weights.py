"""A plain mean.

mistake: equal_weights
fails: two of five experts
"""


def moe_forward(x, router, experts, k):
    logits = router(x)
    chosen, indices = logits.topk(k, dim=-1)
    weights = torch.full_like(chosen, 1 / k)
    out = torch.zeros_like(x)
    for e in range(len(experts)):
        mine = indices == e
        rows = mine.any(dim=1)
        if rows.any():
            weight = (weights * mine).sum(dim=1)[rows]
            out = out.index_put((rows.nonzero()[:, 0],), weight[:, None] * experts[e](x[rows]), accumulate=True)
    return out
