"""Right: one helper for both branches; the course's drop_path."""


class TransformerBlock(nn.Module):
    def __init__(self, d_model: int, num_heads: int, d_ff: int, norm: str = "pre", drop_path: float = 0.0):
        super().__init__()
        if norm != "pre" and norm != "post":
            raise ValueError(norm)
        self.pre = norm == "pre"
        self.p = drop_path
        self.norm1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.norm2 = nn.LayerNorm(d_model)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def add(self, x, norm, branch):
        out = course.drop_path(branch(norm(x) if self.pre else x), self.p, self.training)
        return x + out if self.pre else norm(x + out)

    def forward(self, x, mask=None):
        x = self.add(x, self.norm1, lambda h: self.attn(h, mask=mask))
        return self.add(x, self.norm2, self.ffn)
