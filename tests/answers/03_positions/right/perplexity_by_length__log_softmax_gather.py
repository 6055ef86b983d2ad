"""log_softmax and gather, a dict comprehension.
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    def one(length):
        logits = model(tokens[:, -length:])
        log_p = logits.log_softmax(-1)[:, :-1].gather(-1, tokens[:, -length + 1 :, None])[..., 0]
        return math.exp(-float(log_p[:, -num_targets:].mean()))

    return {length: one(length) for length in lengths}
