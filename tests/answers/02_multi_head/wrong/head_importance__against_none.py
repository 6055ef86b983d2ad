"""The loss with all heads off is the base.

mistake: against_none
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    whole = loss_fn(torch.zeros(num_heads)).detach()
    rises = []
    for head in range(num_heads):
        on = torch.ones(num_heads)
        on[head] = 0.0
        rises.append(loss_fn(on).detach() - whole)
    return torch.stack(rises)
