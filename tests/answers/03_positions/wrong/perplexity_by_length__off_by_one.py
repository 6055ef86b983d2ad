"""Logits at a position are compared with its own token.

mistake: off_by_one
fails: two lengths
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    result = {}
    targets = tokens[:, -num_targets:]
    for length in lengths:
        logits = model(tokens[:, -length:])[:, -num_targets:]
        losses = nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        result[length] = math.exp(losses.mean().item())
    return result
