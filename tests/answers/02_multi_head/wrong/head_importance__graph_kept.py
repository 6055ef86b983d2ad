"""Nothing is detached.

mistake: graph_kept
fails: detached
"""

def head_importance(loss_fn, num_heads):
    whole = loss_fn(torch.ones(num_heads))
    rises = []
    for head in range(num_heads):
        on = torch.ones(num_heads)
        on[head] = 0.0
        rises.append(loss_fn(on) - whole)
    return torch.stack(rises)
