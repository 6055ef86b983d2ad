"""Right: a tensor from Python's own booleans."""


def causal_mask(n):
    return torch.tensor([[key <= query for key in range(n)] for query in range(n)])
