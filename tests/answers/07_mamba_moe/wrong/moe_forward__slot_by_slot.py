"""A loop over the slots around the loop over the experts.

mistake: slot_by_slot
fails: two of five experts
"""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x), k)
    out = torch.zeros_like(x)
    for s in range(k):
        for e in range(len(experts)):
            rows = (indices[:, s] == e).nonzero().flatten()
            if len(rows):
                out = out.index_add(0, rows, weights[rows, s].unsqueeze(1) * experts[e](x[rows]))
    return out
