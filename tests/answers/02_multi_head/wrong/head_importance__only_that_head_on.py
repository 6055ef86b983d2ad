"""All other heads are off.

mistake: only_that_head_on
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    whole = loss_fn(torch.ones(num_heads)).detach()
    rises = []
    for head in range(num_heads):
        on = torch.zeros(num_heads)
        on[head] = 1.0
        rises.append(loss_fn(on).detach() - whole)
    return torch.stack(rises)
