"""The layers have names of their own, so no weights can be loaded.

mistake: unnamed
fails: names and shapes
"""

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} cannot be split into {num_heads}")
        self.num_heads = num_heads
        self.Wq = nn.Linear(d_model, d_model, bias=bias)
        self.Wk = nn.Linear(d_model, d_model, bias=bias)
        self.Wv = nn.Linear(d_model, d_model, bias=bias)
        self.Wo = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None, return_weights=False):
        context = x if context is None else context
        q = course.split_heads(self.Wq(x), self.num_heads)
        k = course.split_heads(self.Wk(context), self.num_heads)
        v = course.split_heads(self.Wv(context), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        output = self.Wo(course.merge_heads(heads))
        return (output, weights) if return_weights else output
