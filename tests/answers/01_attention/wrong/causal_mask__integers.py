"""Right pattern, but of integers: `~mask` is then −1 and −2.

mistake: integers
fails: four positions
"""


def causal_mask(n):
    return torch.tril(torch.ones(n, n, dtype=torch.long))
