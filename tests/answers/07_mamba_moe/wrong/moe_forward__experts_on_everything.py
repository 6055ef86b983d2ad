"""All experts compute all tokens.

mistake: experts_on_everything
fails: two of five experts
"""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x), k)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        weight = (weights * (indices == e)).sum(dim=1, keepdim=True)
        out = out + weight * expert(x)
    return out
