"""The rows of other tokens are set to 0 and computed all the same.

mistake: experts_on_everything
fails: each expert once
"""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x), k)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        hit = (indices == e)
        if hit.any():
            w = (weights * hit).sum(-1, keepdim=True)
            out = out + w * expert(x * hit.any(-1, keepdim=True))
    return out
