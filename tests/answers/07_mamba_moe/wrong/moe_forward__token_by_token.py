"""A loop over the tokens.

mistake: token_by_token
fails: two of five experts
"""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x), k)
    rows = []
    for t in range(len(x)):
        total = torch.zeros_like(x[t])
        for s in range(k):
            total = total + weights[t, s] * experts[int(indices[t, s])](x[t][None])[0]
        rows.append(total)
    return torch.stack(rows)
