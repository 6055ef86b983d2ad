"""The slope in place of the difference.

mistake: gradient
fails: four heads
"""

def head_importance(loss_fn, num_heads):
    on = torch.ones(num_heads, requires_grad=True)
    loss = loss_fn(on)
    return -torch.autograd.grad(loss, on)[0]
