"""The difference is turned round.

mistake: sign
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    whole = loss_fn(torch.ones(num_heads)).detach()
    rises = []
    for head in range(num_heads):
        on = torch.ones(num_heads)
        on[head] = 0.0
        rises.append(whole - loss_fn(on).detach())
    return torch.stack(rises)
