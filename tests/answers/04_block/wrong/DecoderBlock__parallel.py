"""Both attentions read the input of the block.

mistake: parallel_attentions
fails: no masks
"""


class DecoderBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.self_attn = MultiHeadAttention(d_model, num_heads)
        self.cross_attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        a = self.self_attn(self.norm1(x), mask=self_mask)
        c = self.cross_attn(self.norm2(x), context=memory, mask=memory_mask)
        x = x + a + c
        return x + self.ffn(self.norm3(x))
