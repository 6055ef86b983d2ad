"""[0] of what both attentions return.

mistake: first_sample_only
fails: no masks
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm1 = nn.LayerNorm(d_model)
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.norm3 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.self_attn(self.norm1(x), mask=self_mask)[0]
        x = x + self.cross_attn(self.norm2(x), context=memory, mask=memory_mask)[0]
        x = x + self.ffn(self.norm3(x))
        return x
