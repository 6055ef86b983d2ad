"""Right: lists the shapes of all tensors and adds up their sizes."""


def count_parameters(config):
    shapes = []

    def linear(out, into, bias):
        shapes.append((out, into))
        if bias:
            shapes.append((out,))

    def norm(width, bias):
        shapes.extend([(width,)] * (2 if bias else 1))

    kind = type(config).__name__
    if kind == "BertConfig":
        d = config.hidden_size
        shapes += [(config.vocab_size, d), (config.max_position_embeddings, d), (config.type_vocab_size, d)]
        norm(d, True)
        for _ in range(config.num_hidden_layers):
            for _ in range(4):
                linear(d, d, True)
            norm(d, True)
            linear(config.intermediate_size, d, True)
            linear(d, config.intermediate_size, True)
            norm(d, True)
        linear(d, d, True)
    elif kind == "GPT2Config":
        d = config.hidden_size
        inner = config.n_inner if config.n_inner is not None else 4 * d
        shapes += [(config.vocab_size, d), (config.max_position_embeddings, d)]
        for _ in range(config.num_hidden_layers):
            norm(d, True)
            linear(3 * d, d, True)
            linear(d, d, True)
            norm(d, True)
            linear(inner, d, True)
            linear(d, inner, True)
        norm(d, True)
    elif kind == "T5Config":
        d, inner = config.d_model, config.d_kv * config.num_heads
        shapes.append((config.vocab_size, d))
        for layers, attentions in ((config.num_layers, 1), (config.num_decoder_layers, 2)):
            shapes.append((config.relative_attention_num_buckets, config.num_heads))
            for _ in range(layers):
                for _ in range(attentions):
                    norm(d, False)
                    for out, into in ((inner, d), (inner, d), (inner, d), (d, inner)):
                        linear(out, into, False)
                norm(d, False)
                linear(config.d_ff, d, False)
                linear(d, config.d_ff, False)
            norm(d, False)
    else:
        d, h = config.hidden_size, config.head_dim
        shapes.append((config.vocab_size, d))
        if not config.tie_word_embeddings:
            shapes.append((config.vocab_size, d))
        for _ in range(config.num_hidden_layers):
            norm(d, False)
            linear(config.num_attention_heads * h, d, config.attention_bias)
            linear(config.num_key_value_heads * h, d, config.attention_bias)
            linear(config.num_key_value_heads * h, d, config.attention_bias)
            linear(d, config.num_attention_heads * h, config.attention_bias)
            norm(d, False)
            linear(config.intermediate_size, d, config.mlp_bias)
            linear(config.intermediate_size, d, config.mlp_bias)
            linear(d, config.intermediate_size, config.mlp_bias)
        norm(d, False)
    return sum(math.prod(shape) for shape in shapes)
