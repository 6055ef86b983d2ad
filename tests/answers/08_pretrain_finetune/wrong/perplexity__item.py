"""A number for a tensor.

mistake: always_a_float
fails: a scalar loss
"""


def perplexity(loss):
    if isinstance(loss, Tensor) and loss.numel() > 1:
        return [math.exp(x) for x in loss.flatten().tolist()] if loss.ndim == 1 else loss.exp().tolist()
    return math.exp(loss)
