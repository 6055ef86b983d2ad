"""The exponential form of annotated code: exp(−2i·ln(base)/d).
"""

def sinusoidal_encoding(n: int, d: int, base: float = 10000.0) -> Tensor:
    position = torch.arange(n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d, 2) * (-math.log(base) / d))
    pe = torch.zeros(n, d)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
