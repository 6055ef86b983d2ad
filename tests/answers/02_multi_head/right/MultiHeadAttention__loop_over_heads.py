"""A loop over heads; the output is the sum of what each head writes."""

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
        if context is None:
            context = x
        d = x.shape[-1] // self.num_heads
        q, k, v = self.w_q(x), self.w_k(context), self.w_v(context)
        shape = (x.shape[0], self.num_heads, x.shape[1], context.shape[1])
        keep = None if mask is None else mask.expand(shape)
        output, maps = 0.0, []
        for i in range(self.num_heads):
            block = slice(i * d, (i + 1) * d)
            head, weights = scaled_dot_product_attention(
                q[..., block], k[..., block], v[..., block], None if keep is None else keep[:, i]
            )
            output = output + head @ self.w_o.weight[:, block].T
            maps.append(weights)
        if self.w_o.bias is not None:
            output = output + self.w_o.bias
        return (output, torch.stack(maps, dim=1)) if return_weights else output
