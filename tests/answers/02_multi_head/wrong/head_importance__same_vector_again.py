"""One vector is changed and repaired around each call.

mistake: same_vector_again
fails: one vector with all ones, and one per head
"""

def head_importance(loss_fn, num_heads):
    on = torch.ones(num_heads)
    whole = loss_fn(on).detach()
    rises = []
    for head in range(num_heads):
        on[head] = 0.0
        rises.append(loss_fn(on).detach() - whole)
        on[head] = 1.0
    return torch.stack(rises)
