"""Right: sub-classes for norm, attention and mlp; RoPE by complex numbers; heads by reshape."""


class _Norm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return self.weight * x / (x.pow(2).mean(-1, keepdim=True) + self.eps).sqrt()


class _Attention(nn.Module):
    def __init__(self, width, heads, kv_heads, base):
        super().__init__()
        self.h, self.g, self.d, self.base = heads, kv_heads, width // heads, base
        self.q_proj = nn.Linear(width, heads * self.d, bias=False)
        self.k_proj = nn.Linear(width, kv_heads * self.d, bias=False)
        self.v_proj = nn.Linear(width, kv_heads * self.d, bias=False)
        self.o_proj = nn.Linear(heads * self.d, width, bias=False)

    def turn(self, x):
        first, second = x[..., : self.d // 2], x[..., self.d // 2 :]
        speed = self.base ** (-torch.arange(0, self.d, 2, dtype=torch.float64) / self.d)
        angle = (torch.arange(x.shape[-2], dtype=torch.float64)[:, None] * speed).to(x.dtype)
        turned = torch.view_as_complex(torch.stack([first, second], -1).contiguous()) * torch.polar(
            torch.ones_like(angle), angle
        )
        return torch.cat([turned.real, turned.imag], -1)

    def forward(self, x):
        b, t, c = x.shape
        q = self.q_proj(x).reshape(b, t, self.h, self.d).transpose(1, 2)
        k = self.k_proj(x).reshape(b, t, self.g, self.d).transpose(1, 2)
        v = self.v_proj(x).reshape(b, t, self.g, self.d).transpose(1, 2)
        q, k = self.turn(q), self.turn(k)
        q = q.reshape(b, self.g, self.h // self.g, t, self.d)
        scores = torch.einsum("bgrtd,bgsd->bgrts", q, k) * self.d**-0.5
        scores = scores + torch.full((t, t), float("-inf"), dtype=x.dtype).triu(1)
        mixed = torch.einsum("bgrts,bgsd->bgrtd", scores.softmax(-1), v)
        return self.o_proj(mixed.reshape(b, self.h, t, self.d).transpose(1, 2).reshape(b, t, c))


class _Mlp(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate_proj = nn.Linear(width, hidden, bias=False)
        self.up_proj = nn.Linear(width, hidden, bias=False)
        self.down_proj = nn.Linear(hidden, width, bias=False)

    def forward(self, x):
        g = self.gate_proj(x)
        return self.down_proj(g * torch.sigmoid(g) * self.up_proj(x))


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        super().__init__()
        self.input_layernorm = _Norm(d_model, eps)
        self.self_attn = _Attention(d_model, num_heads, num_kv_heads, rope_base)
        self.post_attention_layernorm = _Norm(d_model, eps)
        self.mlp = _Mlp(d_model, d_ff)

    def forward(self, x):
        h = x + self.self_attn(self.input_layernorm(x))
        return h + self.mlp(self.post_attention_layernorm(h))
