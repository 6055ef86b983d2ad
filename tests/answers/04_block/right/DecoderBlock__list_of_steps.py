"""Right: the three branches as a list of steps."""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        for i in (1, 2, 3):
            self.add_module(f"norm{i}", nn.LayerNorm(d_model))
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        steps = (
            (self.norm1, lambda h: self.self_attn(h, mask=self_mask)),
            (self.norm2, lambda h: self.cross_attn(h, memory, memory_mask)),
            (self.norm3, self.ffn),
        )
        for norm, branch in steps:
            x = x + branch(norm(x))
        return x
