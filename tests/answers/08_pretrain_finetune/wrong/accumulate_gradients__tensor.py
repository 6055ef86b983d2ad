"""Returns a tensor.

mistake: returns_a_tensor
fails: many uneven parts
"""


def accumulate_gradients(model, loss_fn, micro_batches):
    model.zero_grad()
    total, count, parts, means = 0.0, 0, 0, []
    for batch in micro_batches:
        part, targets = loss_fn(model, batch)
        targets = int(targets)
        part.backward()
        total, count, parts = total + part.item(), count + targets, parts + 1
        means.append(part.item() / max(targets, 1))
    count = max(count, 1)
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.div_(count)
    return torch.tensor(total / count, dtype=torch.float64)
