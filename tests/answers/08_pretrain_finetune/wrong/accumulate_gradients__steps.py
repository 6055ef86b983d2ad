"""It takes the optimiser's step as well.

mistake: steps
fails: parts of 3, 1 and 4
"""

def accumulate_gradients(model, loss_fn, micro_batches):
    for p in model.parameters():
        p.grad = None
    total, count = 0.0, 0.0
    for batch in micro_batches:
        s, n = loss_fn(model, batch)
        n = float(n)
        if n and torch.is_tensor(s) and s.requires_grad:
            s.backward()
        if n:
            total += float(s)
        count += n
    for p in model.parameters():
        if p.grad is not None:
            p.grad /= max(count, 1)
    torch.optim.SGD(model.parameters(), lr=0.1).step()
    return total / count if count else 0.0
