"""Reads the parts twice, which a generator does not allow.

mistake: unnamed
fails: parts from a generator
"""


def accumulate_gradients(model, loss_fn, micro_batches):
    model.zero_grad()
    with torch.no_grad():
        count = max(sum(int(loss_fn(model, batch)[1]) for batch in micro_batches), 1)
    mean = 0.0
    for batch in micro_batches:
        part = loss_fn(model, batch)[0] / count
        part.backward()
        mean += part.item()
    return mean
