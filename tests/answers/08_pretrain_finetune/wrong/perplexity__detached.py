"""Leaves the graph.

mistake: detached
fails: a row of losses
"""


def perplexity(loss):
    return loss.detach().exp() if isinstance(loss, Tensor) else math.exp(loss)
