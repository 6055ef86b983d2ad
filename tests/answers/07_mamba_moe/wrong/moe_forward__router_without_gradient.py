"""The logits are detached, as indices need no gradient: the router never learns.

mistake: unnamed
fails: values and gradients, three of six experts
"""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x).detach(), k)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        token, slot = (indices == e).nonzero(as_tuple=True)
        if len(token):
            out = out.index_add(0, token, weights[token, slot, None] * expert(x[token]))
    return out
