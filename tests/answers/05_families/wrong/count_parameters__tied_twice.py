"""Counts the output layer of GPT-2 and T5.

mistake: tied_weights_twice
fails: GPT-2
"""


def count_parameters(config):
    c = config
    if c.model_type == "bert":
        d = c.hidden_size
        words, positions, types = c.vocab_size * d, c.max_position_embeddings * d, c.type_vocab_size * d
        first_norm, pooler = 2 * d, d * d + d
        attention = 4 * (d * d + d)
        ffn = 2 * d * c.intermediate_size + d + c.intermediate_size
        norms = 4 * d
        return words + positions + types + first_norm + c.num_hidden_layers * (attention + ffn + norms) + pooler
    if c.model_type == "gpt2":
        d, f = c.n_embd, c.n_inner or 4 * c.n_embd
        words, positions = c.vocab_size * d, c.n_positions * d
        attention = 4 * (d * d + d)
        ffn = 2 * d * f + d + f
        norms, final_norm = 4 * d, 2 * d
        return 2 * words + positions + c.n_layer * (attention + ffn + norms) + final_norm
    if c.model_type == "t5":
        d = c.d_model
        attention, ffn = 4 * d * c.num_heads * c.d_kv, 2 * d * c.d_ff
        bias = c.relative_attention_num_buckets * c.num_heads
        encoder = c.num_layers * (attention + ffn + 2 * d) + d + bias
        decoder = c.num_decoder_layers * (2 * attention + ffn + 3 * d) + d + bias
        return 2 * c.vocab_size * d + encoder + decoder
    d, q, kv = c.hidden_size, c.num_attention_heads * c.head_dim, c.num_key_value_heads * c.head_dim
    attention = 2 * d * q + 2 * d * kv + c.attention_bias * (q + 2 * kv + d)
    ffn = 3 * d * c.intermediate_size + c.mlp_bias * (2 * c.intermediate_size + d)
    norms = 2 * d
    output = 0 if c.tie_word_embeddings else c.vocab_size * d
    return c.vocab_size * d + output + c.num_hidden_layers * (attention + ffn + norms) + d
