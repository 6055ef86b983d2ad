"""Right: the functions of earlier chapters, swiglu with transposed weights."""


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_ff, eps=1e-5, rope_base=10000.0):
        super().__init__()
        self.settings = num_heads, num_kv_heads, d_model // num_heads, eps, rope_base
        for part, shapes in (
            ("input_layernorm", {"weight": (d_model,)}),
            ("post_attention_layernorm", {"weight": (d_model,)}),
        ):
            module = nn.Module()
            for name, shape in shapes.items():
                module.register_parameter(name, nn.Parameter(torch.ones(shape)))
            self.add_module(part, module)
        kv = d_model // num_heads * num_kv_heads
        self.add_module("self_attn", nn.Module())
        for name, width in (("q", d_model), ("k", kv), ("v", kv), ("o", d_model)):
            self.self_attn.add_module(f"{name}_proj", nn.Linear(d_model, width, bias=False))
        self.add_module("mlp", nn.Module())
        for name, sizes in (("gate", (d_model, d_ff)), ("up", (d_model, d_ff)), ("down", (d_ff, d_model))):
            self.mlp.add_module(f"{name}_proj", nn.Linear(*sizes, bias=False))

    def forward(self, x):
        heads, groups, width, eps, base = self.settings
        attn, mlp = self.self_attn, self.mlp
        cos, sin = course.rotary_tables(x.shape[-2], width, base)
        h = course.rms_norm(x, self.input_layernorm.weight, eps)
        q, k, v = attn.q_proj(h), attn.k_proj(h), attn.v_proj(h)
        q = course.apply_rotary(course.split_heads(q, heads), cos.to(x.dtype), sin.to(x.dtype))
        k = course.apply_rotary(course.split_heads(k, groups), cos.to(x.dtype), sin.to(x.dtype))
        v = course.split_heads(v, groups)
        mixed = course.grouped_query_attention(q, k, v, mask=course.causal_mask(x.shape[-2]))
        x = attn.o_proj(course.merge_heads(mixed)) + x
        h = course.rms_norm(x, self.post_attention_layernorm.weight, eps)
        return course.swiglu(h, mlp.gate_proj.weight.T, mlp.up_proj.weight.T, mlp.down_proj.weight.T) + x
