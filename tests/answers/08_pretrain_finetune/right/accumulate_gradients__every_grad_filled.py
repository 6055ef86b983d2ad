"""Right: each part's sum goes backward where it has a graph; parameters without a gradient get zeros."""


def accumulate_gradients(model, loss_fn, micro_batches):
    params = [p for p in model.parameters() if p.requires_grad]
    for p in model.parameters():
        p.grad = None
    total, count = 0.0, 0.0
    for batch in micro_batches:
        s, n = loss_fn(model, batch)
        if s.requires_grad:
            s.backward()
        total, count = total + s.item(), count + int(n)
    for p in params:
        if p.grad is None:
            p.grad = torch.zeros_like(p)
        elif count:
            p.grad.div_(count)
        else:
            p.grad.zero_()
    return total / count if count else 0.0
