"""How many parameters a model has, from its configuration alone."""

from __future__ import annotations

from typing import Any


def count_parameters(config: Any) -> int:
    """Parameters of BERT, GPT-2, T5 or LLaMA, each shared one once.

    Args:
        config: transformers' BertConfig (BertModel with its pooler), GPT2Config (with the tied LM head), T5Config
            (v1.0: tied, ReLU) or LlamaConfig (LlamaForCausalLM, untied unless it says so).

    Returns:
        The number of parameters.

    Raises:
        ValueError: For a configuration of another family.
    """
    counts = {"bert": _bert, "gpt2": _gpt2, "t5": _t5, "llama": _llama}
    kind = getattr(config, "model_type", type(config).__name__)
    if kind not in counts:
        raise ValueError(f"model type {kind!r}; known are {', '.join(counts)}")
    return counts[kind](config)


def _linear(fan_in: int, fan_out: int, bias: bool = True) -> int:
    return fan_in * fan_out + (fan_out if bias else 0)


def _bert(c: Any) -> int:
    width, norm = c.hidden_size, 2 * c.hidden_size
    embedding = (c.vocab_size + c.max_position_embeddings + c.type_vocab_size) * width + norm
    feed_forward = _linear(width, c.intermediate_size) + _linear(c.intermediate_size, width)
    layer = 4 * _linear(width, width) + feed_forward + 2 * norm
    return embedding + c.num_hidden_layers * layer + _linear(width, width)  # the last is the pooler


def _gpt2(c: Any) -> int:
    width, norm, inner = c.n_embd, 2 * c.n_embd, c.n_inner or 4 * c.n_embd
    embedding = (c.vocab_size + c.n_positions) * width  # the output layer is this table again
    attention = _linear(width, 3 * width) + _linear(width, width)
    layer = attention + _linear(width, inner) + _linear(inner, width) + 2 * norm
    return embedding + c.n_layer * layer + norm


def _t5(c: Any) -> int:
    width, inner = c.d_model, c.num_heads * c.d_kv  # inner need not be d_model
    attention = 4 * width * inner  # no biases anywhere
    feed_forward = 2 * width * c.d_ff
    norm = width  # RMS: a gain alone
    encoder = c.num_layers * (attention + feed_forward + 2 * norm) + norm
    decoder = c.num_decoder_layers * (2 * attention + feed_forward + 3 * norm) + norm
    relative = c.relative_attention_num_buckets * c.num_heads  # in the first layer of each stack, shared by the rest
    return c.vocab_size * width + encoder + decoder + 2 * relative


def _llama(c: Any) -> int:
    width = c.hidden_size
    kv_heads = c.num_key_value_heads or c.num_attention_heads
    head = getattr(c, "head_dim", None) or width // c.num_attention_heads
    q, kv = c.num_attention_heads * head, kv_heads * head
    attention = _linear(width, q, c.attention_bias) + 2 * _linear(width, kv, c.attention_bias)
    attention += _linear(q, width, c.attention_bias)
    feed_forward = 2 * _linear(width, c.intermediate_size, c.mlp_bias) + _linear(c.intermediate_size, width, c.mlp_bias)
    tables = c.vocab_size * width * (1 if c.tie_word_embeddings else 2)
    return tables + c.num_hidden_layers * (attention + feed_forward + 2 * width) + width
