"""Shared experts are not among the active ones.

mistake: shared_expert_not_active
fails: deepseek_v3, the published
"""

def _linear(i, o, bias=False):
    return i * o + (o if bias else 0)

def moe_parameters(config):
    d = config.hidden_size
    total = active = config.vocab_size * d + d
    if not config.tie_word_embeddings:
        total, active = total + config.vocab_size * d, active + config.vocab_size * d
    for layer in range(config.num_hidden_layers):
        same = 2 * d
        if type(config).__name__ == "MixtralConfig":
            hd = config.head_dim if getattr(config, "head_dim", None) else d // config.num_attention_heads
            same += 2 * _linear(d, config.num_attention_heads * hd) + 2 * _linear(d, config.num_key_value_heads * hd)
            routed, used, expert = config.num_local_experts, config.num_experts_per_tok, 3 * d * config.intermediate_size
            same += d * routed
        else:
            H, b = config.num_attention_heads, config.attention_bias
            qk, v = config.qk_nope_head_dim + config.qk_rope_head_dim, config.v_head_dim
            if config.q_lora_rank is None:
                same += _linear(d, H * qk)
            else:
                same += _linear(d, config.q_lora_rank, b) + config.q_lora_rank + _linear(config.q_lora_rank, H * qk)
            same += _linear(d, config.kv_lora_rank + config.qk_rope_head_dim, b) + config.kv_lora_rank
            same += _linear(config.kv_lora_rank, H * (config.qk_nope_head_dim + v)) + _linear(H * v, d, b)
            if layer < config.first_k_dense_replace:
                routed = used = expert = 0
                same += 3 * d * config.intermediate_size
            else:
                routed, used, expert = config.n_routed_experts, config.num_experts_per_tok, 3 * d * config.moe_intermediate_size
                same += d * routed + config.n_shared_experts * expert
        total += same + routed * expert
        active += same + used * expert - (config.n_shared_experts * expert if hasattr(config, "n_shared_experts") and routed else 0)
    return [total, active]
