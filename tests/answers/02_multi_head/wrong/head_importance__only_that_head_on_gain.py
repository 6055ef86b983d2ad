"""What one head achieves alone is measured.

mistake: only_that_head_on_gain
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    whole = loss_fn(torch.zeros(num_heads)).detach()
    rises = []
    for head in range(num_heads):
        on = torch.zeros(num_heads)
        on[head] = 1.0
        rises.append(whole - loss_fn(on).detach())
    return torch.stack(rises)
