"""The tanh GELU.

mistake: tanh_gelu
fails: without a mask
"""


class BertLayer(nn.Module):
    def __init__(self, d_model, num_heads, d_ff, eps=1e-12):
        super().__init__()
        self.num_heads = num_heads
        self.attention, self.intermediate, self.output = nn.Module(), nn.Module(), nn.Module()
        self.attention.self, self.attention.output = nn.Module(), nn.Module()
        inner, after = self.attention.self, self.attention.output
        inner.query, inner.key, inner.value = (nn.Linear(d_model, d_model) for _ in range(3))
        after.dense, after.LayerNorm = nn.Linear(d_model, d_model), nn.LayerNorm(d_model, eps=eps)
        self.intermediate.dense = nn.Linear(d_model, d_ff)
        self.output.dense, self.output.LayerNorm = nn.Linear(d_ff, d_model), nn.LayerNorm(d_model, eps=eps)

    def attend(self, x, mask):
        inner = self.attention.self
        q = course.split_heads(inner.query(x), self.num_heads)
        k = course.split_heads(inner.key(x), self.num_heads)
        v = course.split_heads(inner.value(x), self.num_heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = course.masked_softmax(scores, mask)
        return self.attention.output.dense(course.merge_heads(weights @ v))

    def feed(self, x):
        return self.output.dense(F.gelu(self.intermediate.dense(x), approximate="tanh"))

    def forward(self, x, mask=None):
        one, two = self.attention.output.LayerNorm, self.output.LayerNorm
        x = one(x + self.attend(x, mask))
        return two(x + self.feed(x))
