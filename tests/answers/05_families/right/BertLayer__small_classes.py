"""Right: classes named after their role; heads by reshape; softmax by hand."""


class _Out(nn.Module):
    def __init__(self, a, b, eps):
        super().__init__()
        self.dense, self.LayerNorm = nn.Linear(a, b), nn.LayerNorm(b, eps=eps)

    def forward(self, hidden, x):
        return self.LayerNorm(self.dense(hidden) + x)


class _Self(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))


class _Attention(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        setattr(self, "self", _Self(width))
        self.output = _Out(width, width, eps)


class BertLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, eps=1e-12):
        super().__init__()
        self.heads = num_heads
        self.attention = _Attention(d_model, eps)
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(d_model, d_ff)})
        self.output = _Out(d_ff, d_model, eps)

    def forward(self, x, mask=None):
        b, t, c = x.shape
        parts = getattr(self.attention, "self")
        q, k, v = (f(x).reshape(b, t, self.heads, -1).transpose(1, 2) for f in (parts.query, parts.key, parts.value))
        scores = q @ k.mT / (c // self.heads) ** 0.5
        if mask is not None:
            empty = ~mask.any(-1, keepdim=True)
            scores = scores.masked_fill(~mask, float("-inf")).masked_fill(empty, 0.0)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights.masked_fill(empty, 0.0)
        x = self.attention.output((weights @ v).transpose(1, 2).reshape(b, t, c), x)
        hidden = self.intermediate.dense(x)
        hidden = hidden * 0.5 * (1 + torch.erf(hidden / 2**0.5))
        return self.output(hidden, x)
