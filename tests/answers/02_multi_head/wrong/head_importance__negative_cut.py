"""Harmful heads count as 0.

mistake: negative_cut
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    with torch.no_grad():
        whole = loss_fn(torch.ones(num_heads))
        rises = []
        for head in range(num_heads):
            on = torch.ones(num_heads)
            on[head] = 0.0
            rises.append(loss_fn(on) - whole)
    return torch.stack(rises).clamp(min=0)
