"""Running product and running sum.

mistake: by_division
fails: a is 0 in places
"""


def associative_scan(a, b):
    products = torch.cumprod(a, dim=1)
    return products * torch.cumsum(b / products, dim=1)
