"""Adds the gradients of the parts' means.

mistake: sum_of_means
fails: many uneven parts
"""


def accumulate_gradients(model, loss_fn, micro_batches):
    model.zero_grad()
    total, count, parts, means = 0.0, 0, 0, []
    for batch in micro_batches:
        part, targets = loss_fn(model, batch)
        targets = int(targets)
        (part / max(targets, 1)).backward()
        total, count, parts = total + part.item(), count + targets, parts + 1
        means.append(part.item() / max(targets, 1))
    count = max(count, 1)
    return total / count
