"""Adds all losses and runs backward once.

mistake: all_graphs_at_once
fails: one graph at a time
"""


def accumulate_gradients(model, loss_fn, micro_batches):
    model.zero_grad()
    total, count = 0.0, 0
    for batch in micro_batches:
        part, targets = loss_fn(model, batch)
        total, count = total + part, count + int(targets)
    mean = total / max(count, 1)
    mean.backward()
    return mean.item()
