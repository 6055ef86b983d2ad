"""Right: two methods, chosen in __init__; DropPath written out."""


class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, norm="pre", drop_path=0.0):
        super().__init__()
        orders = {"pre": self._pre, "post": self._post}
        if norm not in orders:
            raise ValueError(f"norm should be 'pre' or 'post', not {norm}")
        self.order, self.rate = norm, drop_path
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))

    def _kept(self, branch):
        if not self.training or self.rate == 0:
            return branch
        if self.rate == 1:
            return branch * 0
        coins = torch.bernoulli(torch.full((len(branch), 1, 1), 1 - self.rate, dtype=branch.dtype))
        return branch * coins / (1 - self.rate)

    def _pre(self, x, mask):
        x = self._kept(self.attn(self.norm1(x), mask=mask)) + x
        return self._kept(self.ffn(self.norm2(x))) + x

    def _post(self, x, mask):
        x = self.norm1(self._kept(self.attn(x, mask=mask)) + x)
        return self.norm2(self._kept(self.ffn(x)) + x)

    def forward(self, x, mask=None):
        return self._pre(x, mask) if self.order == "pre" else self._post(x, mask)
