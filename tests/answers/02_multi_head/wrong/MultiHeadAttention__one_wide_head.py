"""The width is never split: one head of everything.

mistake: one_wide_head
fails: self-attention
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
        q = self.w_q(x)
        k = self.w_k(context)
        v = self.w_v(context)
        heads, weights = scaled_dot_product_attention(q, k, v, None if mask is None else mask[..., 0, :, :])
        output = self.w_o(heads)
        return (output, weights.unsqueeze(1)) if return_weights else output
