"""The extra layer for multi-token prediction is counted as a layer with experts.

mistake: unnamed
fails: deepseek_v3, a small one
"""


def moe_parameters(config):
    c, d = config, config.hidden_size
    if c.model_type == "mixtral":
        head = c.head_dim or d // c.num_attention_heads
        attn = d * head * c.num_attention_heads * 2 + d * head * c.num_key_value_heads * 2
        n_experts, d_expert, n_shared, n_dense = c.num_local_experts, c.intermediate_size, 0, 0
    else:
        qk = c.qk_nope_head_dim + c.qk_rope_head_dim
        bias = 1 if c.attention_bias else 0
        if c.q_lora_rank is None:
            attn = d * c.num_attention_heads * qk
        else:
            attn = d * c.q_lora_rank + bias * c.q_lora_rank + c.q_lora_rank
            attn += c.q_lora_rank * c.num_attention_heads * qk
        kv = c.kv_lora_rank + c.qk_rope_head_dim
        attn += d * kv + bias * kv + c.kv_lora_rank
        attn += c.kv_lora_rank * c.num_attention_heads * (c.qk_nope_head_dim + c.v_head_dim)
        attn += c.num_attention_heads * c.v_head_dim * d + bias * d
        n_experts, d_expert, n_shared = c.n_routed_experts, c.moe_intermediate_size, c.n_shared_experts
        n_dense = c.first_k_dense_replace
    expert = 3 * d * d_expert
    total = active = c.vocab_size * d + d
    if not c.tie_word_embeddings:
        total, active = total + c.vocab_size * d, active + c.vocab_size * d
    for layer in range(c.num_hidden_layers + getattr(c, "num_nextn_predict_layers", 0)):
        base = attn + 2 * d
        if layer < n_dense:
            total += base + 3 * d * c.intermediate_size
            active += base + 3 * d * c.intermediate_size
        else:
            base += d * n_experts + n_shared * expert
            total += base + n_experts * expert
            active += base + c.num_experts_per_tok * expert
    return total, active
