"""Right: DropPath as a module of its own."""


class DropPath(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
    def forward(self, x):
        if not self.training or self.p == 0:
            return x
        if self.p == 1:
            return x * 0
        keep = torch.empty(x.shape[0], 1, 1, dtype=x.dtype).bernoulli_(1 - self.p)
        return x * keep / (1 - self.p)

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
        self.drop1, self.drop2 = DropPath(drop_path), DropPath(drop_path)
    def forward(self, x, mask=None):
        if self.pre:
            x = x + self.drop1(self.attn(self.norm1(x), mask=mask))
            return x + self.drop2(self.ffn(self.norm2(x)))
        x = self.norm1(x + self.drop1(self.attn(x, mask=mask)))
        return self.norm2(x + self.drop2(self.ffn(x)))
