"""Powers of one turning complex number per pair, in double precision.
"""

def sinusoidal_encoding(n, d, base=10000.0):
    omega = torch.tensor([base ** (-2 * i / d) for i in range(d // 2)], dtype=torch.float64)
    z = torch.exp(1j * torch.arange(n, dtype=torch.float64)[:, None] * omega)
    return torch.stack([z.imag, z.real], dim=2).reshape(n, d).to(torch.get_default_dtype())
