"""Collects Python numbers."""

def head_importance(loss_fn, num_heads):
    base = float(loss_fn(torch.ones(num_heads)))
    found = []
    for i in range(num_heads):
        on = torch.tensor([0.0 if i == j else 1.0 for j in range(num_heads)])
        found.append(float(loss_fn(on)) - base)
    return torch.tensor(found)
