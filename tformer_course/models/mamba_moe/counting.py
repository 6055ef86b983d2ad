"""Parameters of models with experts: how many are stored, and how many one token uses."""

from __future__ import annotations

from typing import Any


def moe_parameters(config: Any) -> tuple[int, int]:
    """Total and active parameters, from the configuration alone.

    Args:
        config: transformers' MixtralConfig or DeepseekV3Config, for the model with its language-model head.

    Returns:
        `(total, active)`. Active is the total without the routed experts that one token does not use: embedding
        tables, attention, norms, routers and shared experts count in full. Buffers and DeepSeek's extra layers for
        multi-token prediction are not counted.

    Raises:
        ValueError: For a configuration of another family.
    """
    counts = {"mixtral": _mixtral, "deepseek_v3": _deepseek}
    kind = getattr(config, "model_type", type(config).__name__)
    if kind not in counts:
        raise ValueError(f"model type {kind!r}; known are {', '.join(counts)}")
    total, expert, layers, experts = counts[kind](config)
    return total, total - layers * (experts - config.num_experts_per_tok) * expert


def _tables(c: Any) -> int:
    return c.vocab_size * c.hidden_size * (1 if c.tie_word_embeddings else 2)


def _mixtral(c: Any) -> tuple[int, int, int, int]:
    """Total; one expert; layers with experts; experts per layer."""
    width = c.hidden_size
    head = getattr(c, "head_dim", None) or width // c.num_attention_heads
    attention = 2 * width * head * (c.num_attention_heads + c.num_key_value_heads)  # q and o; k and v
    expert = 3 * width * c.intermediate_size
    router = width * c.num_local_experts
    layer = attention + router + c.num_local_experts * expert + 2 * width
    return _tables(c) + c.num_hidden_layers * layer + width, expert, c.num_hidden_layers, c.num_local_experts


def _deepseek(c: Any) -> tuple[int, int, int, int]:
    width, heads, rank = c.hidden_size, c.num_attention_heads, c.kv_lora_rank
    query, bias = heads * (c.qk_nope_head_dim + c.qk_rope_head_dim), int(c.attention_bias)
    if c.q_lora_rank is None:
        attention = width * query
    else:  # down, norm, up
        attention = (width + bias) * c.q_lora_rank + c.q_lora_rank + c.q_lora_rank * query
    attention += (width + bias) * (rank + c.qk_rope_head_dim) + rank  # down for keys and values, and its norm
    attention += rank * heads * (c.qk_nope_head_dim + c.v_head_dim)  # up
    attention += heads * c.v_head_dim * width + bias * width  # output
    sparse = max(0, c.num_hidden_layers - c.first_k_dense_replace)
    expert = 3 * width * c.moe_intermediate_size
    feed_forward = (c.num_hidden_layers - sparse) * 3 * width * c.intermediate_size
    feed_forward += sparse * (width * c.n_routed_experts + (c.n_routed_experts + c.n_shared_experts) * expert)
    total = _tables(c) + c.num_hidden_layers * (attention + 2 * width) + feed_forward + width
    return total, expert, sparse, c.n_routed_experts
