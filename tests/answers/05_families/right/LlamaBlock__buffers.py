"""Right: nn.RMSNorm, RoPE's tables kept as buffers that are no parameters, the attention written out."""


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        super().__init__()
        self.heads, self.kv_heads, self.width = num_heads, num_kv_heads, d_model // num_heads
        kv = num_kv_heads * self.width
        self.input_layernorm = nn.RMSNorm(d_model, eps=eps)
        self.post_attention_layernorm = nn.RMSNorm(d_model, eps=eps)
        sizes = {"q_proj": (d_model, d_model), "k_proj": (d_model, kv), "v_proj": (d_model, kv)}
        sizes["o_proj"] = (d_model, d_model)
        self.self_attn = nn.ModuleDict({n: nn.Linear(*s, bias=False) for n, s in sizes.items()})
        sizes = {"gate_proj": (d_model, d_ff), "up_proj": (d_model, d_ff), "down_proj": (d_ff, d_model)}
        self.mlp = nn.ModuleDict({n: nn.Linear(*s, bias=False) for n, s in sizes.items()})
        cos, sin = course.rotary_tables(2048, self.width, rope_base)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def forward(self, x):
        n, attn, mlp = x.shape[1], self.self_attn, self.mlp
        cos, sin = self.cos[:n].to(x.dtype), self.sin[:n].to(x.dtype)
        h = self.input_layernorm(x)
        q = course.apply_rotary(attn["q_proj"](h).unflatten(-1, (self.heads, -1)).transpose(1, 2), cos, sin)
        k = course.apply_rotary(attn["k_proj"](h).unflatten(-1, (self.kv_heads, -1)).transpose(1, 2), cos, sin)
        v = attn["v_proj"](h).unflatten(-1, (self.kv_heads, -1)).transpose(1, 2)
        k, v = (t.repeat_interleave(self.heads // self.kv_heads, dim=1) for t in (k, v))
        scores = q @ k.mT / math.sqrt(self.width) + torch.full((n, n), -math.inf, dtype=x.dtype).triu(1)
        x = x + attn["o_proj"]((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
        h = self.post_attention_layernorm(x)
        return x + mlp["down_proj"](F.silu(mlp["gate_proj"](h)) * mlp["up_proj"](h))
