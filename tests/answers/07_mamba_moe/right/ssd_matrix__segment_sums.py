"""Right: differences of sums of logarithms, as in Mamba-2's code."""


def ssd_matrix(a, b, c):
    total = torch.cumsum(torch.log(a), dim=0)
    past = torch.ones(len(a), len(a), dtype=torch.bool).tril()
    decay = torch.exp((total[:, None] - total[None, :]).masked_fill(~past, -torch.inf))
    return torch.einsum("in,jn->ij", c, b) * decay
