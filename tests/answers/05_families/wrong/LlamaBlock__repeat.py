"""repeat in place of repeat_interleave.

mistake: repeat
fails: grouped heads
"""


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        super().__init__()
        self.h, self.g, self.eps, self.base = num_heads, num_kv_heads, eps, rope_base
        self.d = d_model // num_heads
        self.input_layernorm = nn.RMSNorm(d_model, eps=eps)
        self.self_attn = nn.ModuleDict(
            {
                "q_proj": nn.Linear(d_model, d_model, bias=False),
                "k_proj": nn.Linear(d_model, self.d * num_kv_heads, bias=False),
                "v_proj": nn.Linear(d_model, self.d * num_kv_heads, bias=False),
                "o_proj": nn.Linear(d_model, d_model, bias=False),
            }
        )
        self.post_attention_layernorm = nn.RMSNorm(d_model, eps=eps)
        self.mlp = nn.ModuleDict(
            {
                "gate_proj": nn.Linear(d_model, d_ff, bias=False),
                "up_proj": nn.Linear(d_model, d_ff, bias=False),
                "down_proj": nn.Linear(d_ff, d_model, bias=False),
            }
        )

    def turn(self, x):
        cos, sin = course.rotary_tables(x.shape[-2], self.d, self.base)
        return course.apply_rotary(x, cos.to(x), sin.to(x))

    def attend(self, x):
        q = self.turn(course.split_heads(self.self_attn.q_proj(x), self.h))
        k = self.turn(course.split_heads(self.self_attn.k_proj(x), self.g))
        v = course.split_heads(self.self_attn.v_proj(x), self.g)
        k, v = (t.repeat(1, self.h // self.g, 1, 1) for t in (k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        keep = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        weights = scores.masked_fill(~keep, -math.inf).softmax(-1)
        return self.self_attn.o_proj(course.merge_heads(weights @ v))

    def feed(self, x):
        return self.mlp.down_proj(F.silu(self.mlp.gate_proj(x)) * self.mlp.up_proj(x))

    def forward(self, x):
        x = x + self.attend(self.input_layernorm(x))
        return x + self.feed(self.post_attention_layernorm(x))
