"""Values are tensors of one element.
"""

def perplexity_by_length(model, tokens: Tensor, lengths: list[int], num_targets: int):
    out = {}
    for n in lengths:
        context = tokens[:, tokens.shape[1] - n :]
        logits = model(context)[:, n - num_targets - 1 : n - 1]
        losses = torch.logsumexp(logits, -1) - logits.gather(-1, context[:, n - num_targets :].unsqueeze(-1)).squeeze(-1)
        out[n] = losses.mean().exp()
    return out
