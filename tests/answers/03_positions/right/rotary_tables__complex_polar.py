"""One complex table, whose parts are doubled.
"""

def rotary_tables(n, d_head, base=10000.0):
    freqs = torch.exp(-torch.arange(0, d_head, 2).double() / d_head * math.log(base))
    z = torch.polar(torch.ones(n, d_head // 2, dtype=torch.float64), torch.outer(torch.arange(n).double(), freqs))
    cos, sin = z.real.float(), z.imag.float()
    return torch.hstack([cos, cos]), torch.hstack([sin, sin])
