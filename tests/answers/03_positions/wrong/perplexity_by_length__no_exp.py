"""The loss is returned.

mistake: no_exp
fails: two lengths
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    result = {}
    targets = tokens[:, -num_targets:]
    for length in lengths:
        logits = model(tokens[:, -length:])[:, -num_targets - 1 : -1]
        losses = nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        result[length] = losses.mean().item()
    return result
