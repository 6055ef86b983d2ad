"""backward adds to .grad, and the old gradients are counted.

mistake: old_gradients_counted
fails: the norm of each block
"""


def gradient_norms(blocks, loss):
    blocks = list(blocks)
    parameters = [p for block in blocks for p in block.parameters()]
    kept = [p.grad for p in parameters]
    loss.backward(retain_graph=True)
    norms = []
    for block in blocks:
        squares = [p.grad.pow(2).sum() for p in block.parameters() if p.grad is not None]
        norms.append(float(sum(squares)) ** 0.5 if squares else 0.0)
    return norms
