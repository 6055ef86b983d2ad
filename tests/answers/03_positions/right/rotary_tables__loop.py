"""Nested loops in Python.
"""

def rotary_tables(n, d_head, base=10000.0):
    half = d_head // 2
    angles = [[p * base ** (-2 * (c % half) / d_head) for c in range(d_head)] for p in range(n)]
    angles = torch.tensor(angles)
    return torch.cos(angles), torch.sin(angles)
