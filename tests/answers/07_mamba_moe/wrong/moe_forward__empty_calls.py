"""Does not ask whether an expert has tokens.

mistake: empty_calls
fails: one expert per token; those without a token are not called
"""


def moe_forward(x, router, experts, k):
    logits = router(x)
    chosen, indices = logits.topk(k, dim=-1)
    weights = chosen.softmax(dim=-1)
    out = torch.zeros_like(x)
    for e in range(len(experts)):
        mine = indices == e
        rows = mine.any(dim=1)
        weight = (weights * mine).sum(dim=1)[rows]
        out = out.index_put((rows.nonzero()[:, 0],), weight[:, None] * experts[e](x[rows]), accumulate=True)
    return out
