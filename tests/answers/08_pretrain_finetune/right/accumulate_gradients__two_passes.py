"""Right: keeps the parts in a list and counts first, without a graph."""


def accumulate_gradients(model, loss_fn, micro_batches):
    parts = list(micro_batches)
    with torch.no_grad():
        count = sum(int(loss_fn(model, batch)[1]) for batch in parts)
    for p in model.parameters():
        p.grad = None
    mean = 0.0
    for batch in parts:
        part = loss_fn(model, batch)[0] / max(count, 1)
        part.backward()
        mean += part.item()
    return mean
