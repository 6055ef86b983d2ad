"""Rows of the experts are taken k by k as the tokens'.

mistake: order_lost_in_groups_of_k
fails: two of five
"""

def moe_forward(x, router, experts, k):
    best, chosen = router(x).topk(k, dim=-1)
    w = best.softmax(-1)
    pieces = []
    for e, f in enumerate(experts):
        rows, slots = torch.nonzero(chosen == e, as_tuple=True)
        if len(rows):
            pieces.append(w[rows, slots, None] * f(x[rows]))
    return torch.cat(pieces).reshape(len(x), k, -1).sum(1)
