"""Divides by zero where nothing counts.

mistake: divides_by_zero
fails: nothing counts anywhere
"""


def accumulate_gradients(model, loss_fn, micro_batches):
    model.zero_grad()
    total, count = 0.0, 0
    for batch in micro_batches:
        part, targets = loss_fn(model, batch)
        part.backward()
        total, count = total + part.detach(), count + targets
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad /= count
    return float(total / count)
