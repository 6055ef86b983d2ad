"""Right: sub-modules have a second name in lists, and the size is a buffer."""


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, norm="pre", drop_path=0.0):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
        self.pre = norm == "pre"
        self.p = drop_path
        self.register_buffer("width", torch.tensor(d_model))
        self.branches = nn.ModuleList([self.attn, self.ffn])
        self.norms = nn.ModuleList([self.norm1, self.norm2])
    def drop(self, b):
        return course.drop_path(b, self.p, self.training)
    def forward(self, x, mask=None):
        if self.pre:
            x = x + self.drop(self.attn(self.norm1(x), mask=mask))
            return x + self.drop(self.ffn(self.norm2(x)))
        x = self.norm1(x + self.drop(self.attn(x, mask=mask)))
        return self.norm2(x + self.drop(self.ffn(x)))
