"""Scores and output by einsum on (B, n, H, D), a masked softmax of its own."""

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
        h = self.num_heads
        q, k, v = (w(t).unflatten(-1, (h, -1)) for w, t in ((self.w_q, x), (self.w_k, context), (self.w_v, context)))
        scores = torch.einsum("bthd,bshd->bhts", q, k) / math.sqrt(q.shape[-1])
        if mask is not None:
            mask = mask.expand_as(scores)
            empty = ~mask.any(-1, keepdim=True)
            scores = scores.masked_fill(~mask & ~empty, -math.inf)
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights.masked_fill(empty, 0.0)
        output = self.w_o(torch.einsum("bhts,bshd->bthd", weights, v).flatten(2))
        return (output, weights) if return_weights else output
