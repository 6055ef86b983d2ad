"""d_ff is ignored: always 4·d_model.

mistake: unnamed
fails: pre-norm
"""


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, norm="pre", drop_path=0.0):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))
        self.pre = norm == "pre"
        self.p = drop_path
    def drop(self, b):
        return course.drop_path(b, self.p, self.training)
    def forward(self, x, mask=None):
        if self.pre:
            x = x + self.drop(self.attn(self.norm1(x), mask=mask))
            return x + self.drop(self.ffn(self.norm2(x)))
        x = self.norm1(x + self.drop(self.attn(x, mask=mask)))
        return self.norm2(x + self.drop(self.ffn(x)))
