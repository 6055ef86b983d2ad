"""Right: all choices sorted by expert, cut into pieces, and put back by the inverse order."""


def moe_forward(x, router, experts, k):
    weights, indices = course.route_top_k(router(x), k)
    flat = indices.reshape(-1)
    order = torch.argsort(flat)
    counts = torch.bincount(flat, minlength=len(experts)).tolist()
    pieces = x.repeat_interleave(k, dim=0)[order].split(counts)
    outputs = torch.cat([experts[e](piece) for e, piece in enumerate(pieces) if len(piece)])
    back = outputs[torch.argsort(order)].reshape(len(x), k, -1)
    return (weights.unsqueeze(-1) * back).sum(dim=1)
