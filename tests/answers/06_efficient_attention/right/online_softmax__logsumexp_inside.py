"""Right: keeps the logarithm of the sum and turns it back at the end."""


def online_softmax(blocks):
    iterator = iter(blocks)
    block = next(iterator)
    maximum, log_total = block.amax(-1), torch.logsumexp(block, -1)
    for block in iterator:
        maximum = torch.maximum(maximum, block.amax(-1))
        log_total = torch.logsumexp(torch.stack([log_total, torch.logsumexp(block, -1)], -1), -1)
    hidden = maximum == -math.inf
    total = torch.exp(log_total.masked_fill(hidden, 0.0) - maximum.masked_fill(hidden, 0.0))
    return maximum, total.masked_fill(hidden, 0.0)
