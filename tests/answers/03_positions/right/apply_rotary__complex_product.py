"""Pairs as complex numbers.
"""

def apply_rotary(x, cos, sin):
    half = x.shape[-1] // 2
    z = torch.complex(x[..., :half].contiguous(), x[..., half:].contiguous())
    turn = torch.complex(cos[:, :half].contiguous(), sin[:, :half].contiguous())
    z = z * turn
    return torch.cat([z.real, z.imag], -1)
