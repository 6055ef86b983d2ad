"""Every shown token is scored.

mistake: all_positions
fails: two lengths
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    result = {}
    targets = tokens[:, -num_targets:]
    for length in lengths:
        shown = tokens[:, -length:]
        logits, targets = model(shown)[:, :-1], shown[:, 1:]
        losses = nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        result[length] = math.exp(losses.mean().item())
    return result
