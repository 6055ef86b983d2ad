"""The context from the beginning, the targets from the end.

mistake: first_tokens_for_the_last_targets
fails: two lengths
"""

import torch, torch.nn.functional as F
def perplexity_by_length(model, tokens, lengths, num_targets):
    out = {}
    with torch.no_grad():
        for length in lengths:
            logits = model(tokens[:, :length])[:, -num_targets - 1:-1]
            out[int(length)] = F.cross_entropy(logits.flatten(0, 1), tokens[:, -num_targets:].flatten()).exp().item()
    return out
