"""The interleaved layout for x and tables.

mistake: interleaved_throughout
fails: queries of two heads
"""

def apply_rotary(x, cos, sin):
    a, b = x.chunk(2, dim=-1)
    turned = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
    half = x.shape[-1] // 2
    cos = cos[:, :half].repeat_interleave(2, dim=-1)
    sin = sin[:, :half].repeat_interleave(2, dim=-1)
    return x * cos + turned * sin
