"""Lets torch's own AdamW do the work.

mistake: unnamed
fails: forty steps of changing length
"""


def adamw_step(param, grad, state, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    parameter = nn.Parameter(param.clone())
    optimizer = torch.optim.AdamW([parameter], lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
    if state:
        optimizer.state[parameter] = copy.deepcopy(state)
    parameter.grad = grad.clone()
    optimizer.step()
    return parameter.detach(), dict(optimizer.state[parameter])
