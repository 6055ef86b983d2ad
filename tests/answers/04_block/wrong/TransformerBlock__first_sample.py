"""[0] of what attn returns, as after nn.MultiheadAttention.

mistake: first_sample_only
fails: pre-norm, the default
"""


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, norm="pre", drop_path=0.0):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f"unknown norm {norm}")
        self.pre, self.p = norm == "pre", drop_path
        self.norm1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def drop(self, branch):
        return course.drop_path(branch, self.p, self.training)

    def forward(self, x, mask=None):
        if self.pre:
            x = x + self.drop(self.attn(self.norm1(x), mask=mask)[0])
            x = x + self.drop(self.ffn(self.norm2(x)))
        else:
            x = self.norm1(x + self.drop(self.attn(x, mask=mask)[0]))
            x = self.norm2(x + self.drop(self.ffn(x)))
        return x
