"""Clears .grad first, and leaves the new gradients there.

mistake: unnamed
fails: every .grad is as before
"""


def gradient_norms(blocks, loss):
    blocks = list(blocks)
    parameters = [p for block in blocks for p in block.parameters()]
    kept = [p.grad for p in parameters]
    for p in parameters:
        p.grad = None
    loss.backward(retain_graph=True)
    norms = []
    for block in blocks:
        squares = [p.grad.pow(2).sum() for p in block.parameters() if p.grad is not None]
        norms.append(float(sum(squares)) ** 0.5 if squares else 0.0)
    return norms
