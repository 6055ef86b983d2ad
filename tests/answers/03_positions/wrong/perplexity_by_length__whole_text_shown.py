"""The model always sees everything.

mistake: whole_text_shown
fails: two lengths
"""

def perplexity_by_length(model, tokens, lengths, num_targets):
    result = {}
    targets = tokens[:, -num_targets:]
    for length in lengths:
        logits = model(tokens)[:, -num_targets - 1 : -1]
        losses = nn.functional.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
        result[length] = math.exp(losses.mean().item())
    return result
