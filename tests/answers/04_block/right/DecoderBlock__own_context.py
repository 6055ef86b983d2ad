"""Right: self-attention with its own context given, weights asked for and thrown away."""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        h = self.norm1(x)
        own, _ = self.self_attn(h, context=h, mask=self_mask, return_weights=True)
        u = x + own
        read, _ = self.cross_attn(self.norm2(u), context=memory, mask=memory_mask, return_weights=True)
        v = u + read
        return v + self.ffn(self.norm3(v))
