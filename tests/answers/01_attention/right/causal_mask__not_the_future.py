"""Right: what lies strictly above the diagonal, negated; made from floats."""


def causal_mask(n):
    future = torch.triu(torch.full((n, n), 1.0), diagonal=1)
    return ~future.bool()
