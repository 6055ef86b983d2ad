"""Masks from 1 − identity, one clone per call."""

def head_importance(loss_fn, num_heads):
    with torch.no_grad():
        whole = loss_fn(torch.ones(num_heads))
        return torch.stack([loss_fn(row.clone()) for row in 1 - torch.eye(num_heads)]) - whole
