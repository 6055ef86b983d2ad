"""The zero weights are filled with 1 before the log."""

def attention_entropy(weights, mask=None):
    logs = weights.masked_fill(weights == 0, 1.0).log()
    entropy = (weights * logs).sum(-1).neg()
    if mask is None:
        count = torch.full_like(entropy, weights.shape[-1])
    else:
        count = mask.broadcast_to(weights.shape).sum(-1).to(weights.dtype)
    few = count < 2
    return (entropy / count.masked_fill(few, 2.0).log()).masked_fill(few, 0.0)
