"""2 to the power of a loss in nats.

mistake: base_two
fails: two lengths
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    result = {}
    targets = tokens[:, -num_targets:]
    for length in lengths:
        logits = model(tokens[:, -length:])[:, -num_targets - 1 : -1]
        losses = nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        result[length] = 2 ** losses.mean().item()
    return result
