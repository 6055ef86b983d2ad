"""Right: a power of e."""


def perplexity(loss):
    return math.e**loss
