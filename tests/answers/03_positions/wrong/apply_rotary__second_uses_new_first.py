"""The second entry is made from the turned first one.

mistake: unnamed
fails: two heads
"""


def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, -1)
    h = x.shape[-1] // 2
    c, s = cos[:, :h], sin[:, :h]
    a = a * c - b * s
    b = a * s + b * c
    return torch.cat((a, b), -1)
