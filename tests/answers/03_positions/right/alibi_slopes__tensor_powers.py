"""Powers of the first slope.
"""

def alibi_slopes(num_heads):
    p = 2 ** int(math.floor(math.log2(num_heads)))
    slopes = torch.pow(torch.tensor(2 ** (-8 / p)), torch.arange(1, p + 1))
    if p < num_heads:
        extra = torch.pow(torch.tensor(2 ** (-4 / p)), torch.arange(1, 2 * p + 1, 2)[: num_heads - p])
        slopes = torch.cat([slopes, extra])
    return slopes
