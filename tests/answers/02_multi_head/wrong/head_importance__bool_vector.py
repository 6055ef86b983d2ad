"""The vector is of bools.

mistake: bool_vector
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    with torch.no_grad():
        whole = loss_fn(torch.ones(num_heads, dtype=torch.bool))
        rises = []
        for head in range(num_heads):
            on = torch.ones(num_heads, dtype=torch.bool)
            on[head] = 0.0
            rises.append(loss_fn(on) - whole)
    return torch.stack(rises)
