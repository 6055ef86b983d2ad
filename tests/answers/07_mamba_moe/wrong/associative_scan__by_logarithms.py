"""The running product by logarithms.

mistake: by_logarithms
fails: 1 positions, a of both signs
"""


def associative_scan(a, b):
    total = torch.cumsum(torch.log(a), dim=1)
    return torch.exp(total) * torch.cumsum(b * torch.exp(-total), dim=1)
