"""Two cumulative sums: one is divided by the decay that the other has.

mistake: divided_by_the_decay
fails: underflows
"""

def selective_scan(x, delta, a, b, c, d):
    L = torch.einsum("btc,cn->btcn", delta, a).cumsum(1)
    u = torch.einsum("btc,btn->btcn", delta * x, b)
    h = torch.exp(L) * torch.cumsum(u * torch.exp(-L), 1)
    return torch.einsum("btcn,btn->btc", h, c) + d * x
