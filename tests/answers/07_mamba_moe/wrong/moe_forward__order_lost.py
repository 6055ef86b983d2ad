"""Concatenates the experts' outputs and adds the k parts.

mistake: order_lost
fails: two of five experts
"""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x), k)
    parts = []
    for e, expert in enumerate(experts):
        token, slot = torch.where(indices == e)
        if len(token):
            parts.append(expert(x[token]) * weights[token, slot].unsqueeze(-1))
    return torch.cat(parts).view(k, *x.shape).sum(dim=0)
