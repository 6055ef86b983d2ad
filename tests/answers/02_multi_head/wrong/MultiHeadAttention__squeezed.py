"""The batch axis goes where there is one sample.

mistake: unnamed
fails: one sample
"""

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} cannot be split into {num_heads}")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None, return_weights=False):
        context = x if context is None else context
        q = course.split_heads(self.w_q(x), self.num_heads)
        k = course.split_heads(self.w_k(context), self.num_heads)
        v = course.split_heads(self.w_v(context), self.num_heads)
        heads, weights = scaled_dot_product_attention(q, k, v, mask)
        output = self.w_o(course.merge_heads(heads)).squeeze(0)
        return (output, weights) if return_weights else output
