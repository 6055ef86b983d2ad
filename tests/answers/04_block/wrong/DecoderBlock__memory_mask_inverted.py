"""memory_mask with the sign of torch.nn.MultiheadAttention.

mistake: memory_mask_inverted
fails: both masks
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = x + self.self_attn(self.norm1(x), mask=self_mask)
        x = x + self.cross_attn(self.norm2(x), context=memory, mask=None if memory_mask is None else ~memory_mask)
        return x + self.ffn(self.norm3(x))
